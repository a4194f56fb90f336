#include "analysis/FinishedBlocks.h"

#include <gtest/gtest.h>

#include "KernelCatalogue.h"
#include "experiment/Experiment.h"

namespace haloscope {
namespace {

TEST(FinishedBlocks, AreAllBlocksOfAGridHoweverManyWorkersRunThem) {
  const Catalogue& all = test::catalogue();
  for (const unsigned workers : {1U, 4U}) {
    analysis::FinishedBlocks finished;
    simt::Observer* const observers[] = {&finished};
    experiment::RunOptions options;
    options.record = false;
    options.workers = workers;
    options.observers = observers;
    const auto experiment =
        experiment::run(all, {.kernel = "stencil/tiled", .bindings = {{"N", 33}}, .block = {}}, options);
    // Tiles of 6 × 6 × 6 outputs.
    EXPECT_EQ(experiment->configuration.grid, (Dim3{6, 6, 6}));
    EXPECT_EQ(finished.count(), 216U) << workers;
    EXPECT_FALSE(experiment->fault);
  }
}

}  // namespace
}  // namespace haloscope
