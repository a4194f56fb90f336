#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "ExecutedSupport.h"
#include "experiment/Experiment.h"
#include "figures/BlockBoundary.h"
#include "figures/CodeReport.h"
#include "figures/ConstantUse.h"
#include "figures/LaunchTail.h"
#include "figures/OpPerByteCurve.h"
#include "figures/OpPerByteSeries.h"
#include "figures/StencilShape.h"
#include "figures/WarpLayout.h"
#include "opening/OpenedFile.h"

/// Every figure of every kernel in a set of typical student files: each has numbers, or one sentence that explains why
/// not.
namespace haloscope::figures {
namespace {

namespace fs = std::filesystem;
using ::testing::AnyOf;
using ::testing::EndsWith;

std::vector<std::string> styles() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(fs::path(HALOSCOPE_SOURCE_DIR) / "tests/kernels/styles")) {
    if (entry.path().extension() == ".cu") { names.push_back(entry.path().stem().string()); }
  }
  std::ranges::sort(names);
  return names;
}

void expectSentence(const std::string& reason) {
  EXPECT_THAT(reason, AnyOf(EndsWith("."), EndsWith("…"))) << reason;
  EXPECT_EQ(reason.find('\n'), std::string::npos) << reason;
}

class FiguresOfFiles : public ::testing::TestWithParam<std::string> {
 protected:
  void look(const KernelFile& file) {
    const auto experiment = experiment::run(file, {file.id, {}, std::nullopt});
    lookAtShape(*experiment);
    const BlockBoundary boundary = blockBoundary(*experiment);
    if (boundary.reason.empty()) {
      EXPECT_GT(countAll(boundary).outputs, 0);
    } else {
      expectSentence(boundary.reason);
    }
    const ConstantUse use = constantUse(*experiment);
    EXPECT_GE(use.passes, use.requests);
    EXPECT_LE(use.share(), 1);
    lookAtCurve(file, *experiment);
    lookAtTail(file, *experiment);
    lookAtCode(file, *experiment);
  }

 private:
  static void lookAtShape(const experiment::Experiment& experiment) {
    const StencilShape shape = stencilShape(experiment);
    const WarpLayout warp = warpLayout(experiment, shape, 0);
    if (!shape.reason.empty()) {
      expectSentence(shape.reason);
      EXPECT_EQ(warp.reason, shape.reason);
      return;
    }
    EXPECT_FALSE(shape.points.empty());
    if (!warp.reason.empty()) { expectSentence(warp.reason); }
  }

  static void lookAtCurve(const KernelFile& file, const experiment::Experiment& experiment) {
    OpPerByteCurve curve =
        planOpPerByte(std::make_shared<const KernelFile>(file), experiment.bindings, defaultTunable(file));
    if (!curve.problem.empty()) {
      expectSentence(curve.problem);
      EXPECT_TRUE(curve.points.empty());
      return;
    }
    findWalls(curve, "NVIDIA T4", "7.5");
    const std::size_t count = curve.points.size();
    for (const std::size_t index : {std::size_t{0}, count / 2, count - 1}) {
      OpPerBytePoint point = curve.points[index];
      if (!point.done) { execute(file, point); }
      putBack(curve, index, point);
      EXPECT_TRUE(point.count || !point.refused.empty()) << point.value;
      if (!point.refused.empty()) { expectSentence(point.refused); }
    }
    for (const auto& [value, share] : haloSeries(curve).executed) {
      EXPECT_GE(share, 0) << value;
      EXPECT_LE(share, 1) << value;
    }
  }

  static void lookAtTail(const KernelFile& file, const experiment::Experiment& experiment) {
    const LaunchTail tail = countTail(file, experiment.bindings);
    if (tail.executed) {
      EXPECT_EQ(tail.blocks.size(), tail.configuration.grid.count());
      EXPECT_EQ(tail.work.threads, tail.configuration.grid.count() * tail.configuration.block.count());
    } else {
      expectSentence(tail.problem);
    }
    if (file.sizes.empty()) { return; }
    const SizeParameter& size = file.sizes.front();
    const std::int64_t chosen = experiment.bindings.at(size.name);
    const TailCurve curve = tailCurve(file, experiment.bindings, size.name, chosen, std::min(size.maximum, chosen + 9));
    if (!curve.note.empty()) { expectSentence(curve.note); }
  }

  void lookAtCode(const KernelFile& file, const experiment::Experiment& experiment) const {
    CodeReport report;
    report.bindings = experiment.bindings;
    reporter_.report(file, report, targetOfArchitecture("sm_86"));
    EXPECT_TRUE(report.done);
    if (report.registers == 0) { expectSentence(report.problem); }
  }

  CodeReporter reporter_;
};

TEST_P(FiguresOfFiles, HaveNumbersOrAReason) {
  const fs::path path = fs::path(HALOSCOPE_SOURCE_DIR) / "tests/kernels/styles" / (GetParam() + ".cu");
  const opening::OpenedFile opened = test::openExecuted(path);
  ASSERT_FALSE(opened.kernels.empty());
  for (const opening::ProposedKernel& proposed : opened.kernels) {
    SCOPED_TRACE(proposed.file.kernel);
    KernelFile file = proposed.file;
    file.id = "opened/" + GetParam();
    file.chapter = "opened";
    look(file);
  }
}

INSTANTIATE_TEST_SUITE_P(Styles, FiguresOfFiles, ::testing::ValuesIn(styles()),
                         [](const auto& file) { return file.param; });

}  // namespace
}  // namespace haloscope::figures
