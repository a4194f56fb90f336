#include "actions/ClimbRows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include "KernelCatalogue.h"
#include "actions/ClimbChoice.h"
#include "experiment/Experiment.h"
#include "figures/RungCosts.h"
#include "measuring/RecordedLimits.h"

/// The rows of the climb, made from a state.
namespace haloscope {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

/// The climb of the 7-point star, executed at 32 points a side.
class ClimbRowsTest : public ::testing::Test {
 protected:
  ClimbRowsTest() {
    state_.catalogue = test::catalogue();
    state_.choice.kernel = "stencil/coarsened";
  }

  void count(const std::string& id) {
    // Executed once for all tests.
    static std::map<std::string, std::shared_ptr<const figures::RungCosts>> executed;
    const KernelFile& file = state_.catalogue.at(id);
    std::shared_ptr<const figures::RungCosts>& costs = executed[id + file.text];
    if (costs == nullptr) {
      costs = std::make_shared<const figures::RungCosts>(figures::countRung(file, file.bind({{"N", 32}}), {}));
    }
    state_.climb.costs[id] = costs;
  }
  void countAll() {
    for (const Climb& climb : climbs(state_.catalogue)) {
      if (climb.find("stencil/basic") == nullptr) { continue; }
      for (const Climb::Rung& rung : climb.rungs) { count(rung.variant->id); }
    }
  }
  static measuring::RecordedLimit limitFor(const std::string& id, double fraction, const std::string& kind,
                                           const std::string& gpu) {
    return {.kind = kind,
            .problem = kind.substr(0, kind.find(',')),
            .id = id,
            .gpu = gpu,
            .bindings = {{"N", "512"}},
            .tileSource = "tuned",
            .fraction = fraction};
  }
  void record(const std::string& id, double fraction, const std::string& kind = "7-point float") {
    state_.climb.recorded.push_back(limitFor(id, fraction, kind, "NVIDIA H200"));
  }
  /// On this machine's GPU.
  void measure(const std::string& id, double fraction, const std::string& kind = "7-point float") {
    state_.climb.measured.push_back(limitFor(id, fraction, kind, "NVIDIA T4"));
    state_.climb.measured.back().text = state_.catalogue.at(id).text;
  }
  void edit(const std::string& id) {
    KernelFile file = state_.catalogue.at(id);
    file.text += "// edited\n";
    state_.catalogue.put(file);
  }
  /// What the GPU did at 512 points a side, with a million outputs.
  void read(const std::string& id, double milliseconds, const Bindings& tunables = {}) {
    const KernelFile& file = state_.catalogue.at(id);
    auto reading = std::make_shared<measuring::HardwareReading>();
    reading->id = file.id;
    reading->text = file.text;
    reading->gpu = "NVIDIA T4";
    reading->bindings = file.bind(tunables);
    reading->bindings["N"] = 512;
    reading->storeBytes = 4'000'000;
    reading->counters.dramReadBytes = 5'000'000;
    reading->counters.dramWrittenBytes = 4'000'000;
    reading->counters.stalls = {{"data from global memory", "long_scoreboard", 20}, {"a barrier", "barrier", 5}};
    reading->milliseconds = milliseconds;
    reading->copyGBs = 4000;
    state_.hardware.readings[file.id] = reading;
  }
  static const ClimbRow& rowOf(const ClimbRows& rows, const std::string& id) {
    const auto found = std::ranges::find(rows.rows, id, &ClimbRow::id);
    EXPECT_NE(found, rows.rows.end()) << id;
    return found == rows.rows.end() ? rows.rows.front() : *found;
  }
  static const ClimbNumber& numberOf(const ClimbRow& row, ClimbCounter counter) {
    return row.numbers.at(static_cast<std::size_t>(counter));
  }

  AppState state_;
};

TEST_F(ClimbRowsTest, BeginAtTheBooksBasicVariantAndEndAboveTheBook) {
  const ClimbRows rows = climbRows(state_);
  EXPECT_EQ(rows.name, "7-point star");
  ASSERT_GT(rows.rows.size(), 8U);
  EXPECT_EQ(rows.rows.front().id, "stencil/basic");
  EXPECT_EQ(rows.rows.front().below, std::nullopt);
  EXPECT_TRUE(rows.rows.back().id.starts_with("beyond/"));
  ASSERT_TRUE(rows.chosen.has_value());
  EXPECT_EQ(rows.rows[*rows.chosen].id, "stencil/coarsened");
  ASSERT_TRUE(rows.difference.has_value());
  EXPECT_EQ(rows.difference->below, "stencil/tiled");
  EXPECT_EQ(rows.difference->above, "stencil/coarsened");
  for (const ClimbRow& row : rows.rows) {
    EXPECT_FALSE(row.idea.empty()) << row.id;
    EXPECT_FALSE(row.bar.has_value()) << "nothing was recorded";
    EXPECT_TRUE(row.counting);
    if (row.below) { EXPECT_LE(rows.rows[*row.below].column, row.column); }
  }
}

TEST_F(ClimbRowsTest, TheLastBranchOfAForkIsTheWayOn) {
  const ClimbRows rows = climbRows(state_);
  std::map<std::size_t, std::size_t> last;
  for (std::size_t i = 0; i < rows.rows.size(); ++i) {
    if (rows.rows[i].below) { last[*rows.rows[i].below] = i; }
  }
  for (std::size_t i = 0; i < rows.rows.size(); ++i) {
    const ClimbRow& row = rows.rows[i];
    if (!row.below) { continue; }
    EXPECT_EQ(row.column, rows.rows[*row.below].column + (last[*row.below] == i ? 0 : 1)) << row.id;
  }
  EXPECT_EQ(rowOf(rows, "stencil/tiled").column, 1) << "the way on leads over vector loads";
  EXPECT_EQ(rows.rows.back().column, 0);
}

TEST_F(ClimbRowsTest, ABarNamesTheTileThatItWasRecordedWith) {
  record("stencil/basic", 0.52);
  state_.climb.recorded.back().bindings = {{"N", "512"}, {"BLOCK_X", "64"}, {"BLOCK_Y", "1"}, {"BLOCK_Z", "4"}};
  record("stencil/tiled", 0.19);
  state_.climb.recorded.back().bindings = {{"N", "512"}, {"IN_TILE_DIM", "8"}};
  const ClimbRows rows = climbRows(state_);
  EXPECT_EQ(rowOf(rows, "stencil/basic").bar->tunables, "BLOCK 64 × 1 × 4");
  EXPECT_EQ(rowOf(rows, "stencil/tiled").bar->tunables, "IN_TILE_DIM 8");
}

TEST_F(ClimbRowsTest, ABarIsAsRecordedUntilTheRungIsMeasuredHere) {
  record("stencil/tiled", 0.19);
  record("stencil/tiled", 0.33, "7-point double");
  record("stencil/basic", 0.39);
  ClimbRows rows = climbRows(state_);
  const ClimbRow& tiled = rowOf(rows, "stencil/tiled");
  ASSERT_TRUE(tiled.bar.has_value());
  EXPECT_TRUE(tiled.bar->recorded);
  EXPECT_EQ(tiled.bar->fraction, 0.19) << "the class in which most rungs are recorded";
  EXPECT_EQ(rows.recordedOn, "NVIDIA H200");
  EXPECT_EQ(rows.measuredOn, "");
  EXPECT_FALSE(rowOf(rows, "stencil/coarsened").bar.has_value());

  EXPECT_EQ(rows.kind, "7-point float");

  measure("stencil/tiled", 0.25);
  rows = climbRows(state_);
  EXPECT_FALSE(rowOf(rows, "stencil/tiled").bar->recorded);
  EXPECT_EQ(rowOf(rows, "stencil/tiled").bar->fraction, 0.25);
  EXPECT_EQ(rowOf(rows, "stencil/tiled").bar->tile, "tuned");
  EXPECT_EQ(rows.measuredOn, "NVIDIA T4");
}

TEST_F(ClimbRowsTest, ABarBelongsToTheTextAndToTheProblem) {
  record("stencil/basic", 0.39);
  record("stencil/tiled", 0.19);
  record("beyond/3d_7_two_steps", 0.5, "7-point float, 2 steps");
  record("beyond/3d_7_queue", 0.9, "7-point double");
  measure("stencil/basic", 0.4);
  ClimbRows rows = climbRows(state_);
  EXPECT_EQ(rowOf(rows, "beyond/3d_7_two_steps").bar->fraction, 0.5) << "the same problem in more steps";
  EXPECT_FALSE(rowOf(rows, "beyond/3d_7_queue").bar.has_value()) << "another problem";
  edit("stencil/tiled");
  edit("stencil/basic");
  rows = climbRows(state_);
  EXPECT_FALSE(rowOf(rows, "stencil/tiled").bar.has_value()) << "recorded of another text";
  EXPECT_FALSE(rowOf(rows, "stencil/basic").bar.has_value()) << "measured with another text";
}

TEST_F(ClimbRowsTest, ARungIsExecutedWithTheTileOfItsBar) {
  const std::vector<Climb> all = climbs(state_.catalogue);
  const Climb& climb = *climbOf(all, state_);
  const KernelFile& tiled = state_.catalogue.at("stencil/tiled");
  EXPECT_EQ(rungBindings(state_, climb, tiled), figures::rungBindings(climb, tiled));
  record("stencil/tiled", 0.19);
  state_.climb.recorded.back().bindings = {{"N", "512"}, {"IN_TILE_DIM", "6"}, {"REAL", "float"}};
  const Bindings bindings = rungBindings(state_, climb, tiled);
  EXPECT_EQ(bindings.at("IN_TILE_DIM"), 6);
  EXPECT_EQ(bindings.at("N"), figures::rungBindings(climb, tiled).at("N"));
  state_.climb.recorded.back().bindings["IN_TILE_DIM"] = "1000";
  EXPECT_EQ(rungBindings(state_, climb, tiled), figures::rungBindings(climb, tiled)) << "a tile of another text";
}

TEST_F(ClimbRowsTest, WhyWarpsWaitIsSaidOnceItWasCounted) {
  count("stencil/basic");
  EXPECT_EQ(numberOf(climbRows(state_).rows.front(), ClimbCounter::Stalls).value, std::nullopt);
  read("stencil/basic", 0.5);
  const ClimbRow row = climbRows(state_).rows.front();
  EXPECT_EQ(numberOf(row, ClimbCounter::Stalls).text, "25");
  EXPECT_THAT(numberOf(row, ClimbCounter::Stalls).source,
              HasSubstr("NVIDIA T4: 20 for data from global memory, 5 for a barrier"));
}

TEST_F(ClimbRowsTest, DramsBytesAreThoseOfAPointAndAStep) {
  count("beyond/3d_7_two_steps");
  read("beyond/3d_7_two_steps", 0.5);
  const ClimbRows rows = climbRows(state_);
  EXPECT_LT(*numberOf(rowOf(rows, "beyond/3d_7_two_steps"), ClimbCounter::DramBytes).value, 6);
}

TEST_F(ClimbRowsTest, TheNumberThatMovedMostIsNamed) {
  count("stencil/basic");
  count("stencil/tiled");
  count("stencil/coarsened");
  const ClimbRows rows = climbRows(state_);
  EXPECT_EQ(rows.rows.front().moved, std::nullopt) << "there is no rung below";
  const ClimbRow& tiled = rowOf(rows, "stencil/tiled");
  EXPECT_EQ(tiled.moved, ClimbCounter::GlobalBytes);
  const ClimbNumber& bytes = numberOf(tiled, ClimbCounter::GlobalBytes);
  EXPECT_EQ(bytes.below, 32.0);
  EXPECT_LT(bytes.ratio(), 0.5);
  EXPECT_EQ(numberOf(tiled, ClimbCounter::SharedBytes).ratio(), std::nullopt) << "from nothing there is no factor";
  EXPECT_EQ(rowOf(rows, "stencil/coarsened").moved, ClimbCounter::SharedBytes);
  const ClimbNumber& dram = numberOf(tiled, ClimbCounter::DramBytes);
  EXPECT_FALSE(dram.counted);
  EXPECT_THAT(dram.source, HasSubstr("by formula"));
  EXPECT_EQ(numberOf(tiled, ClimbCounter::Registers).text, "–");
}

TEST_F(ClimbRowsTest, CodeAndHardwareReplaceWhatWasNotKnown) {
  count("stencil/basic");
  RungCode code{.report = {}, .text = state_.catalogue.at("stencil/basic").text};
  code.report.registers = 24;
  code.report.occupancy.share = 0.5;
  state_.climb.code["stencil/basic"] = code;
  state_.climb.target.name = "NVIDIA T4";
  read("stencil/basic", 0.5);
  const ClimbRow row = climbRows(state_).rows.front();
  EXPECT_EQ(numberOf(row, ClimbCounter::Registers).text, "24");
  EXPECT_EQ(numberOf(row, ClimbCounter::Occupancy).text, "50 %");
  EXPECT_TRUE(numberOf(row, ClimbCounter::DramBytes).counted);
  EXPECT_DOUBLE_EQ(*numberOf(row, ClimbCounter::DramBytes).value, 9.0);
  edit("stencil/basic");
  EXPECT_EQ(numberOf(climbRows(state_).rows.front(), ClimbCounter::Registers).value, std::nullopt)
      << "those of the text before";
}

TEST_F(ClimbRowsTest, KeysGoFromRungToRungAndStopAtTheEnds) {
  choosePreviousRung(state_);
  EXPECT_EQ(state_.choice.kernel, "stencil/tiled");
  choosePreviousRung(state_);
  choosePreviousRung(state_);
  EXPECT_EQ(state_.choice.kernel, "stencil/basic");
  EXPECT_EQ(climbRows(state_).difference->below, "stencil/basic") << "nothing to compare it with";
  chooseNextRung(state_);
  EXPECT_EQ(state_.choice.kernel, "stencil/tiled");
  for (int i = 0; i < 100; ++i) { chooseNextRung(state_); }
  EXPECT_EQ(state_.choice.kernel, climbRows(state_).rows.back().id);
}

TEST_F(ClimbRowsTest, AVariantOnNoClimbSaysSo) {
  state_.choice.kernel = "stencil/finite_difference_3";
  const ClimbRows rows = climbRows(state_);
  EXPECT_TRUE(rows.rows.empty());
  EXPECT_THAT(rows.missing, HasSubstr("is part of no climb"));
}

/// A user's file: a copy of a variant under names of its own.
class OwnRung : public ClimbRowsTest {
 protected:
  void open(const std::string& variant) {
    KernelFile file = state_.catalogue.at(variant);
    file.id = "opened/mine";
    file.path = "/home/ada/mine.cu";
    file.title = file.idea = file.extends = file.climb = "";
    file.markOpened();
    state_.catalogue.put(file);
    state_.choice = {.kernel = file.id, .bindings = {}, .block = {}};
    state_.climb.own = file.id;
  }
};

/// ... of which only the text is known, and not what it computes.
class UnknownOwnRung : public OwnRung {
 protected:
  std::string textOf(const std::string& variant) {
    open(variant);
    KernelFile file = state_.catalogue.at("opened/mine");
    file.computes.reset();
    state_.catalogue.put(file);
    Bindings bindings = figures::rungBindings({.name = {}, .rungs = {{&file, 0}}}, file);
    if (filterRadius_ > 0) { bindings["FILTER_RADIUS"] = filterRadius_; }
    const auto executed = experiment::run(file, {.kernel = file.id, .bindings = bindings}, {});
    state_.climb.costs[file.id] = std::make_shared<const figures::RungCosts>(figures::ownCosts(*executed, {}));
    const std::vector<Climb> all = climbs(state_.catalogue);
    const Climb* climb = climbOf(all, state_);
    for (const Climb::Rung& rung : climb->rungs) {
      const std::string& id = rung.variant->id;
      state_.climb.costs[id] = std::make_shared<const figures::RungCosts>(
          figures::countRung(*rung.variant, figures::rungBindings(*climb, *rung.variant), {}));
    }
    const ClimbRows rows = climbRows(state_);
    return rows.name + ": " + rows.ownText;
  }

  std::int64_t filterRadius_ = 0;  ///< 0: the variant's default
};

TEST_F(UnknownOwnRung, IsOnTheClimbWhosePointsItReads) {
  EXPECT_THAT(textOf("beyond/3d_25_basic"), StartsWith("25-point star: mine.cu resembles beyond/3d_25_basic:"));
  EXPECT_THAT(textOf("stencil/3d_27_coarsened"),
              StartsWith("27-point box: mine.cu resembles stencil/3d_27_coarsened:"));
  EXPECT_THAT(textOf("stencil/2d_5_tiled"), StartsWith("2D 5-point star: mine.cu resembles stencil/2d_5_tiled:"));
}

TEST_F(UnknownOwnRung, SeveralStepsAreThoseOfItsPoints) {
  EXPECT_THAT(textOf("beyond/2d_5_time"), AllOf(StartsWith("2D 5-point star: mine.cu resembles beyond/2d_5_time:"),
                                                HasSubstr("computes 4 time steps at once")));
}

TEST_F(UnknownOwnRung, WhereTheFilterIsTellsTheConvolutionsApart) {
  EXPECT_THAT(textOf("convolution/basic"), StartsWith("2D convolution: mine.cu resembles convolution/basic:"));
  EXPECT_THAT(textOf("convolution/constant"),
              AllOf(StartsWith("2D convolution: mine.cu resembles convolution/constant:"),
                    HasSubstr("it reads coefficients from constant memory")));
  EXPECT_THAT(textOf("convolution/tiled_output_block"), HasSubstr("resembles convolution/tiled_output_block:"));
  EXPECT_THAT(textOf("convolution/cached_halo"), HasSubstr("resembles convolution/cached_halo:"));
  EXPECT_THAT(textOf("convolution/cached_halo"),
              HasSubstr("This branch ends here; the next one begins with beyond/convolution_rows:"));
}

TEST_F(UnknownOwnRung, ALargerFilterIsNotSeveralSteps) {
  filterRadius_ = 2;
  EXPECT_THAT(textOf("convolution/constant"), AllOf(StartsWith("2D convolution:"), Not(HasSubstr("time steps"))));
}

TEST_F(UnknownOwnRung, OnlyWeightsThatAreAProductAreASeparableFilter) {
  for (const std::int64_t radius : {1, 2, 3}) {
    filterRadius_ = radius;
    EXPECT_THAT(textOf("convolution/basic"), StartsWith("2D convolution: mine.cu"));
    EXPECT_THAT(textOf("beyond/convolution_separable"), StartsWith("2D convolution, separable filter: mine.cu"));
  }
}

TEST_F(OwnRung, IsComparedOnceAllRungsAreExecuted) {
  open("stencil/tiled");
  EXPECT_THAT(climbRows(state_).ownText, HasSubstr("mine.cu is being executed"));
  count("opened/mine");
  EXPECT_THAT(climbRows(state_).ownText, HasSubstr("compared once all rungs"));
}

TEST_F(OwnRung, ResemblesTheRungWithTheSameAccessesAndIsToldTheNext) {
  open("stencil/tiled");
  countAll();
  count("opened/mine");
  record("stencil/tiled", 0.20);
  record("stencil/coarsened", 0.30);
  const ClimbRows rows = climbRows(state_);
  EXPECT_EQ(rows.name, "7-point star");
  EXPECT_THAT(rows.ownText, HasSubstr("mine.cu resembles stencil/tiled: it reads through shared memory."));
  EXPECT_THAT(rows.ownText, HasSubstr("The next rung is stencil/coarsened: A flat block moves"));
  EXPECT_THAT(rows.ownText, HasSubstr("1.50 times as fast"));
  EXPECT_THAT(rows.ownText, HasSubstr("as recorded"));
  const ClimbRow& own = rowOf(rows, "opened/mine");
  EXPECT_TRUE(own.own && own.chosen);
  ASSERT_TRUE(own.below.has_value());
  EXPECT_EQ(rows.rows[*own.below].id, "stencil/tiled");
  EXPECT_EQ(rows.difference->above, "stencil/coarsened");
  // The rows behind it still stand on the rungs that they extend.
  const ClimbRow& registers = rowOf(rows, "stencil/register_tiled");
  EXPECT_EQ(rows.rows[*registers.below].id, "stencil/coarsened");
  const ClimbRow& vectors = rowOf(rows, "stencil/vector_loads");
  EXPECT_EQ(rows.rows[*vectors.below].id, "stencil/basic");
}

TEST_F(OwnRung, AGainIsOneOfBarsThatWereMeasuredAlike) {
  open("stencil/tiled");
  countAll();
  count("opened/mine");
  record("stencil/tiled", 0.20);
  record("stencil/coarsened", 0.30);
  record("stencil/vector_loads", 0.80);
  measure("stencil/coarsened", 0.35);
  EXPECT_THAT(climbRows(state_).ownText, HasSubstr("What it gains was not measured."))
      << "one as recorded, one measured here";
  measure("stencil/tiled", 0.36);
  const std::string text = climbRows(state_).ownText;
  EXPECT_THAT(text, HasSubstr("On its own it gains nothing over stencil/tiled on the NVIDIA T4: 0.35 of the best copy "
                              "instead of 0.36, measured here."));
  EXPECT_THAT(text, Not(HasSubstr("fastest"))) << "vector_loads was not measured here";
  measure("stencil/vector_loads", 0.72);
  EXPECT_THAT(climbRows(state_).ownText,
              HasSubstr("The fastest rung is stencil/vector_loads: 2.00 times as fast as stencil/tiled."));
}

TEST_F(OwnRung, ResemblesEachRungOfTheBookThatItCopies) {
  countAll();
  for (const char* variant : {"stencil/basic", "stencil/register_tiled", "stencil/vector_loads", "beyond/3d_7_queue"}) {
    open(variant);
    count("opened/mine");
    EXPECT_THAT(climbRows(state_).ownText, HasSubstr(std::string("resembles ") + variant + ":")) << variant;
  }
}

TEST_F(OwnRung, StaysWithItsClimbWhileItsRungsAreChosen) {
  open("stencil/tiled");
  countAll();
  count("opened/mine");
  chooseNextRung(state_);
  EXPECT_EQ(state_.choice.kernel, "stencil/coarsened");
  EXPECT_TRUE(rowOf(climbRows(state_), "opened/mine").own);
  state_.choice.kernel = "convolution/basic";
  for (const ClimbRow& row : climbRows(state_).rows) { EXPECT_FALSE(row.own); }
}

TEST(RecordedLimits, AreReadInTheLayoutOfBench) {
  const auto shipped = std::filesystem::path(HALOSCOPE_SOURCE_DIR) / "assets" / "recorded" / "h200_limit.json";
  for (const measuring::RecordedLimit& limit : measuring::readRecordedLimits(shipped)) {
    EXPECT_NE(test::catalogue().find(limit.id), nullptr) << limit.id;
    EXPECT_GT(limit.fraction, 0);
    EXPECT_FALSE(limit.gpu.empty());
  }
}

TEST(RecordedLimits, SayWhichEntryIsWrong) {
  const auto path = std::filesystem::temp_directory_path() / "haloscope-recorded.json";
  const auto problemOf = [&](const char* text) -> std::string {
    std::ofstream(path) << text;
    try {
      const auto read = measuring::readRecordedLimits(path);
      return fmt::format("{} entries", read.size());
    } catch (const InputError& error) { return error.what(); }
  };
  EXPECT_EQ(problemOf("[]"), "0 entries");
  EXPECT_EQ(problemOf(R"([{"id": "a/b", "gpu": "X", "fraction_of_copy": 0.5, "occupancy": null}])"), "1 entries");
  EXPECT_EQ(problemOf(R"([{"id": "a/b", "gpu": "X", "fraction_of_copy": 0.5, "counters": {"missing": "no CUPTI"}}])"),
            "1 entries");
  EXPECT_THAT(problemOf(R"([{"id": "a/b", "gpu": "X", "fraction_of_copy": 0.5, "counters": {"stalls": [{}]}}])"),
              HasSubstr("entry 1, stalls: 'reason' is missing"));
  EXPECT_THAT(problemOf("{}"), HasSubstr("must be a list"));
  EXPECT_EQ(problemOf(
                R"({"gpu": "X", "classes": [{"class": "star", "copy": {"gb_per_s": 4000}, "variants": [
                {"id": "a/b", "verified": true, "fraction_of_copy": 0.5}, {"id": "a/c", "problem": "no"}]}]})"),
            "1 entries");
  EXPECT_THAT(problemOf(R"({"gpu": "X", "classes": [3]})"), HasSubstr("'classes' must be a list of classes"));
  EXPECT_THAT(problemOf("["), HasSubstr("haloscope-recorded.json"));
  EXPECT_THAT(problemOf(R"([{"id": "a/b", "gpu": "X"}])"), HasSubstr("entry 1: 'fraction_of_copy' is missing"));
  EXPECT_THAT(problemOf(R"([{"gpu": "X", "fraction_of_copy": 0.5}])"), HasSubstr("entry 1: 'id' is missing"));
  EXPECT_THAT(problemOf(R"([{"id": "a/b", "gpu": "X", "fraction_of_copy": -1}])"), HasSubstr("not below zero"));
  EXPECT_THROW(static_cast<void>(measuring::readRecordedLimits("/nowhere.json")), InputError);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace haloscope
