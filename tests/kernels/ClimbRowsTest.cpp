#include "state/ClimbRows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include "KernelCatalogue.h"
#include "figures/RungCosts.h"
#include "measuring/RecordedLimits.h"

/// The rows of the climb, made from a state.
namespace haloscope {
namespace {

using ::testing::HasSubstr;

/// The ladder of the 7-point star, executed at 32 points a side.
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
  void record(const std::string& id, double fraction, const std::string& kind = "7-point float") {
    measuring::RecordedLimit limit;
    limit.kind = kind;
    limit.id = id;
    limit.gpu = "NVIDIA H200";
    limit.bindings = {{"N", "512"}};
    limit.fraction = fraction;
    state_.climb.recorded.push_back(limit);
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

  count("stencil/tiled");
  read("stencil/tiled", 0.5);
  rows = climbRows(state_);
  EXPECT_FALSE(rowOf(rows, "stencil/tiled").bar->recorded);
  // Two arrays of 512³ floats in half a millisecond, while the copy moves 4000 GB/s.
  EXPECT_NEAR(rowOf(rows, "stencil/tiled").bar->fraction, 2 * 512.0 * 512 * 512 * 4 / 0.5e-3 / 4e12, 1e-9);
  EXPECT_EQ(rows.measuredOn, "NVIDIA T4");
  read("stencil/tiled", 0.5, {{"IN_TILE_DIM", 6}});
  EXPECT_TRUE(rowOf(climbRows(state_), "stencil/tiled").bar->recorded) << "measured with another tile";
}

TEST_F(ClimbRowsTest, SeveralStepsALaunchCountAsSoManySweeps) {
  count("beyond/3d_7_two_steps");
  read("beyond/3d_7_two_steps", 0.5);
  const ClimbRows rows = climbRows(state_);
  const ClimbRow& row = rowOf(rows, "beyond/3d_7_two_steps");
  ASSERT_TRUE(row.bar.has_value());
  EXPECT_NEAR(row.bar->fraction, 2 * 2 * 512.0 * 512 * 512 * 4 / 0.5e-3 / 4e12, 1e-9);
  EXPECT_LT(*numberOf(row, ClimbCounter::DramBytes).value, 6) << "per point and step";
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
  figures::CodeReport code;
  code.registers = 24;
  code.occupancy.share = 0.5;
  state_.climb.code["stencil/basic"] = code;
  state_.climb.target.name = "NVIDIA T4";
  read("stencil/basic", 0.5);
  const ClimbRow row = climbRows(state_).rows.front();
  EXPECT_EQ(numberOf(row, ClimbCounter::Registers).text, "24");
  EXPECT_EQ(numberOf(row, ClimbCounter::Occupancy).text, "50 %");
  EXPECT_TRUE(numberOf(row, ClimbCounter::DramBytes).counted);
  EXPECT_DOUBLE_EQ(*numberOf(row, ClimbCounter::DramBytes).value, 9.0);
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

TEST_F(ClimbRowsTest, AVariantOnNoLadderSaysSo) {
  state_.choice.kernel = "stencil/finite_difference_3";
  const ClimbRows rows = climbRows(state_);
  EXPECT_TRUE(rows.rows.empty());
  EXPECT_THAT(rows.missing, HasSubstr("stands on no ladder"));
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

TEST_F(OwnRung, ResemblesEachRungOfTheBookThatItCopies) {
  countAll();
  for (const char* variant : {"stencil/basic", "stencil/register_tiled", "stencil/vector_loads", "beyond/3d_7_queue"}) {
    open(variant);
    count("opened/mine");
    EXPECT_THAT(climbRows(state_).ownText, HasSubstr(std::string("resembles ") + variant + ":")) << variant;
  }
}

TEST_F(OwnRung, AtTheEndOfABranchIsToldWhereTheNextOneBegins) {
  countAll();
  open("stencil/register_tiled");
  count("opened/mine");
  EXPECT_THAT(climbRows(state_).ownText, HasSubstr("This branch ends here; the next one begins with beyond/"));
}

TEST_F(OwnRung, StaysWithItsLadderWhileItsRungsAreChosen) {
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
  EXPECT_THAT(problemOf("{}"), HasSubstr("must be a list"));
  EXPECT_EQ(problemOf(R"({"gpu": "X", "classes": [{"class": "star", "copy": {"gb_per_s": 4000}, "variants": [
                {"id": "a/b", "verified": true, "fraction_of_copy": 0.5}, {"id": "a/c", "problem": "no"}]}]})"),
            "1 entries");
  EXPECT_THAT(problemOf(R"({"gpu": "X", "classes": [3]})"), HasSubstr("'classes' must be a list of classes"));
  EXPECT_THAT(problemOf("["), HasSubstr("haloscope-recorded.json"));
  EXPECT_THAT(problemOf(R"([{"id": "a/b", "gpu": "X"}])"), HasSubstr("entry 1: 'fraction_of_copy' is missing"));
  EXPECT_THAT(problemOf(R"([{"gpu": "X", "fraction_of_copy": 0.5}])"), HasSubstr("entry 1: 'id' must be a string"));
  EXPECT_THAT(problemOf(R"([{"id": "a/b", "gpu": "X", "fraction_of_copy": -1}])"), HasSubstr("not below zero"));
  EXPECT_THROW(static_cast<void>(measuring::readRecordedLimits("/nowhere.json")), InputError);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace haloscope
