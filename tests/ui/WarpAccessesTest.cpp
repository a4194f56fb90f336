#include "actions/WarpAccesses.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "analysis/RecordedRequest.h"
#include "catalogue/Catalogue.h"
#include "experiment/Experiment.h"

/// The access that the addresses panel opens on.
namespace haloscope {
namespace {

TEST(WarpAccesses, TheCostliestGlobalOneComesBeforeABroadcast) {
  const Catalogue catalogue = Catalogue::read(HALOSCOPE_SOURCE_DIR "/kernels");
  const auto experiment = experiment::run(catalogue.at("convolution/constant"), {"convolution/constant", {}, {}});
  const recording::Recording& recording = *experiment->recording;
  bool both = false;
  for (std::size_t step = 0; step < recording.steps.size(); ++step) {
    std::vector<recording::AccessGroup> accesses;
    for (const recording::AccessGroup& access : recording.accessesOf(step)) {
      if (access.warp == 0 && access.space != MemorySpace::Local) { accesses.push_back(access); }
    }
    if (accesses.empty()) { continue; }
    const auto global = [](const recording::AccessGroup& access) { return access.space == MemorySpace::Global; };
    const bool hasGlobal = std::ranges::any_of(accesses, global);
    both = both || (hasGlobal && !std::ranges::all_of(accesses, global));
    const recording::AccessGroup& chosen = accesses[costliestAccess(recording, accesses)];
    EXPECT_EQ(global(chosen), hasGlobal) << "step " << step;
    const analysis::RequestShape shape = analysis::requestOf(recording, chosen).shape;
    for (const recording::AccessGroup& other : accesses) {
      if (!global(other)) { continue; }
      const analysis::RequestShape less = analysis::requestOf(recording, other).shape;
      EXPECT_GE(shape.sectors - shape.idealSectors, less.sectors - less.idealSectors) << "step " << step;
    }
  }
  EXPECT_TRUE(both) << "a step loads the input and its coefficient";
}

}  // namespace
}  // namespace haloscope
