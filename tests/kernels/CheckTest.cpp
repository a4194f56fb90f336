#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <ostream>
#include <set>
#include <string>
#include <utility>

#include "KernelCatalogue.h"
#include "catalogue/BugLab.h"
#include "checking/Check.h"
#include "opening/OpenedFile.h"

/// All checks together: on the bug lab, its corrected twins, the variants and opened files.
namespace haloscope::experiment {
namespace {

using faults::Finding;
using faults::FindingKind;

std::string describe(const checking::CheckReport& report) {
  std::string text;
  for (const Finding& finding : report.findings) {
    text += std::string(faults::rowOf(finding.kind).name) + " at line " + std::to_string(finding.where.line) + ": " +
            finding.text() + '\n';
  }
  return text;
}

const BugLab& lab() {
  static const BugLab kLab = BugLab::read(HALOSCOPE_SOURCE_DIR "/assets/buglab");
  return kLab;
}

/// The fault of each task. A fault may show in several ways; this one must be among them.
const std::map<std::string, FindingKind>& expectedKinds() {
  static const std::map<std::string, FindingKind> kKinds = {{"bare_edge", FindingKind::UnwrittenOutput},
                                                            {"below_zero", FindingKind::UnsignedWrap},
                                                            {"coarse_steps", FindingKind::IntegerTruncation},
                                                            {"crossed_taps", FindingKind::WrongResult},
                                                            {"darkness", FindingKind::IntegerTruncation},
                                                            {"empty_blocks", FindingKind::UnwrittenOutput},
                                                            {"endless", FindingKind::Endless},
                                                            {"first_plane", FindingKind::Uninitialized},
                                                            {"flicker", FindingKind::RaceShared},
                                                            {"garbage_rim", FindingKind::Uninitialized},
                                                            {"in_place", FindingKind::RaceGlobal},
                                                            {"missing_rim", FindingKind::OutOfBounds},
                                                            {"neighbouring_tile", FindingKind::OutOfBounds},
                                                            {"one_too_many", FindingKind::OutOfBounds},
                                                            {"precedence", FindingKind::WrongResult},
                                                            {"shifted_image", FindingKind::WrongResult},
                                                            {"stale_plane", FindingKind::WrongResult},
                                                            {"torn_planes", FindingKind::RaceShared},
                                                            {"turned_filter", FindingKind::WrongResult},
                                                            {"unstarted_sum", FindingKind::Uninitialized},
                                                            {"used_twice", FindingKind::WrongResult},
                                                            {"waiting_room", FindingKind::DivergentBarrier},
                                                            {"wrong_stride", FindingKind::WrongResult}};
  return kKinds;
}

TEST(CheckTest, EveryTaskOfTheBugLabIsFoundAsWhatItIs) {
  std::set<FindingKind> kinds;
  for (const BugTask& task : lab().tasks()) {
    SCOPED_TRACE(task.id);
    ASSERT_TRUE(expectedKinds().contains(task.id)) << "a task that no test knows";
    const FindingKind kind = expectedKinds().at(task.id);
    kinds.insert(kind);
    const checking::CheckReport report = checking::check(task.faulty, {}, {.stepBudget = 2'000'000});
    EXPECT_TRUE(std::ranges::any_of(report.findings, [&](const Finding& one) { return one.kind == kind; }))
        << "instead: " << describe(report);
    for (const Finding& finding : report.findings) {
      EXPECT_TRUE(finding.where.valid()) << finding.message;
      EXPECT_FALSE(finding.message.empty());
      EXPECT_LE(finding.outputs.size(), finding.outputCount);
    }
  }
  EXPECT_EQ(lab().tasks().size(), expectedKinds().size());
  EXPECT_EQ(kinds.size(), 10U) << "every class but what cannot be executed has its task";
}

TEST(CheckTest, TheCorrectTwinsAreClean) {
  for (const BugTask& task : lab().tasks()) {
    const checking::CheckReport report = checking::check(task.fixed, {});
    EXPECT_TRUE(report.findings.empty()) << task.id << ": " << describe(report);
    if (task.fixed.computes) { EXPECT_EQ(report.evidence.matches(), true) << task.id; }
  }
}

TEST(CheckTest, TheVariantsAreCleanAtSizesThatDoNotDivide) {
  const Catalogue& catalogue = test::catalogue();
  for (const KernelFile& file : catalogue.kernels()) {
    Bindings sizes;
    for (const SizeParameter& size : file.sizes) { sizes[size.name] = 23; }
    const checking::CheckReport report = checking::check(file, sizes);
    EXPECT_TRUE(report.findings.empty()) << file.id << ": " << describe(report);
    EXPECT_EQ(report.evidence.matches(), true) << file.id;
  }
}

TEST(CheckTest, ItSaysWhatWasWatchedAndWithWhatTheResultWasCompared) {
  const Catalogue& catalogue = test::catalogue();
  const checking::CheckReport known = checking::check(catalogue.at("stencil/tiled"), {});
  EXPECT_TRUE(known.watched.starts_with("All 216 blocks were executed and checked for races")) << known.watched;
  EXPECT_NE(known.watched.find("output points that are not written"), std::string::npos) << known.watched;
  EXPECT_TRUE(known.compared.starts_with("Its result matches the double-precision reference")) << known.compared;

  opening::LaunchOverrides one;
  one.grid = Dim3{1, 1, 1};
  const opening::OpenedFile opened =
      opening::openText("k.cu", "__global__ void k(float* out) {\n  out[threadIdx.x] = 1;\n}\n", one);
  ASSERT_EQ(opened.kernels.size(), 1U);
  const checking::CheckReport unknown = checking::check(opened.kernels.front().file, {});
  EXPECT_TRUE(unknown.watched.starts_with("The one block was executed")) << unknown.watched;
  EXPECT_EQ(unknown.watched.find("not written"), std::string::npos) << "what it should write is not known";
  EXPECT_EQ(unknown.compared, "") << "the verdict says that nothing was compared";
}

TEST(CheckTest, ARaceNamesBothThreadsTheElementAndTheCellsItReaches) {
  const checking::CheckReport report = checking::check(lab().find("flicker")->faulty, {});
  ASSERT_FALSE(report.findings.empty());
  const Finding& race = report.findings.front();
  EXPECT_EQ(race.kind, FindingKind::RaceShared);
  EXPECT_EQ(race.threads.size(), 2U);
  EXPECT_TRUE(race.other.valid());
  EXPECT_NE(race.message.find("in_s["), std::string::npos) << race.message;
  EXPECT_GT(race.outputCount, 0U);
  ASSERT_FALSE(report.outputNames(race).empty());
  EXPECT_EQ(report.outputNames(race).front().substr(0, 4), "out[");
}

/// A barrier removed by the user is reported as missing.
TEST(CheckTest, TakingABarrierOutOfAVariantGivesARace) {
  const Catalogue& catalogue = test::catalogue();
  const KernelFile& file = catalogue.at("stencil/tiled");
  int barrier = 0;
  int line = 1;
  for (std::size_t at = 0; at < file.text.size(); ++at) {
    if (file.text.compare(at, 13, "__syncthreads") == 0) { barrier = line; }
    line += file.text[at] == '\n' ? 1 : 0;
  }
  ASSERT_GT(barrier, 0);
  const checking::CheckReport report = checking::check(file, {}, {.withoutBarriers = {barrier}});
  ASSERT_FALSE(report.findings.empty());
  for (const Finding& finding : report.findings) {
    EXPECT_EQ(finding.kind, FindingKind::RaceShared) << finding.message;
  }
  const checking::CheckReport ahead =
      checking::check(file, {}, {.withoutBarriers = {barrier}, .order = simt::WarpOrder::InOrder});
  EXPECT_EQ(ahead.evidence.matches(), false) << "a warp that runs ahead reads what is not there yet";
}

TEST(CheckTest, ATextThatCannotBeLoweredIsOneFindingWithItsPlace) {
  const opening::OpenedFile opened = opening::openText(
      "k.cu", "__global__ void k(float* out, int N) {\n  out[threadIdx.x] = N;\n  asm(\"membar.gl;\");\n}\n", {});
  if (opened.kernels.empty()) {
    ASSERT_FALSE(opened.diagnostics.empty());
    EXPECT_EQ(opened.diagnostics.front().where.line, 3);
    return;
  }
  const checking::CheckReport report = checking::check(opened.kernels.front().file, {});
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings.front().kind, FindingKind::Unsupported);
  EXPECT_EQ(report.findings.front().where.line, 3);
}

}  // namespace
}  // namespace haloscope::experiment
