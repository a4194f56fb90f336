#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "KernelCatalogue.h"
#include "exercises/Exercise.h"
#include "exercises/Worked.h"
#include "program/SourceLocation.h"

// The exercises: what a kernel executes and what the derivation says are two sources of one number.

namespace haloscope {
namespace {

using exercises::Answered;
using exercises::Exercise;
using exercises::Part;
using exercises::Typed;
using exercises::Worked;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::ThrowsMessage;

const Catalogue& ownKernels() {
  static const Catalogue kOwn = exercises::readKernels(std::filesystem::path(HALOSCOPE_SOURCE_DIR) / "assets");
  return kOwn;
}

Worked worked(const char* id, const Typed& typed, const char* part = nullptr) {
  const Exercise& exercise = exercises::exercise(id);
  const Part* const only = part == nullptr ? nullptr : &exercises::partOf(exercise, part);
  return exercises::workOut(exercise, typed, test::catalogue(), ownKernels(), only);
}

class Exercises : public ::testing::TestWithParam<std::string> {};

TEST_P(Exercises, DerivationsAgreeWithExecutionsOverRandomNumbers) {
  constexpr std::uint64_t kSeeds = 4;
  const Exercise& exercise = exercises::exercise(GetParam());
  std::set<Typed> drawn;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const Typed typed = exercises::drawn(exercise, seed);
    drawn.insert(typed);
    std::string numbers;
    for (const auto& [name, text] : typed) { numbers += " " + name + "=" + text; }
    const Worked answers = exercises::workOut(exercise, typed, test::catalogue(), ownKernels());
    EXPECT_THAT(answers.notExecuted, IsEmpty()) << numbers;
    EXPECT_THAT(answers.parts, SizeIs(exercise.parts.size()));
    for (const Answered& one : answers.parts) {
      ASSERT_TRUE(one.found) << one.part->id << numbers;
      EXPECT_TRUE(one.agree()) << one.part->id << numbers << ": found " << *one.found << ", derived " << one.derived();
    }
    EXPECT_TRUE(answers.picture.has_value()) << numbers;
  }
  EXPECT_GT(drawn.size(), 1U) << "other numbers are to be drawn";
}

std::vector<std::string> exerciseIds() {
  std::vector<std::string> ids;
  for (const Exercise& one : exercises::exercises()) { ids.emplace_back(one.id); }
  return ids;
}

INSTANTIATE_TEST_SUITE_P(All, Exercises, ::testing::ValuesIn(exerciseIds()), [](const auto& one) {
  std::string name = one.param;
  for (char& c : name) { c = c == '-' ? '_' : c; }
  return name;
});

TEST(Exercise, AnOutputOfTypedNumbers) {
  const Worked one = worked("output-1d", {{"x", "4,1,3,2,3"}, {"f", "2,1,4"}, {"i", "1"}});
  // 2·4 + 1·1 + 4·3
  EXPECT_EQ(one.parts.at(0).answer(), 21);
  EXPECT_EQ(one.parts.at(0).found, 21);
  EXPECT_EQ(exercises::lineText(one.parts.at(0).derivation.back()), "y = sum(x, f, i) = 2 × 4 + 1 × 1 + 4 × 3 = 21");
  ASSERT_THAT(one.parts.at(0).conventions, SizeIs(1));
  EXPECT_EQ(one.parts.at(0).conventions.front().value, 4 * 4 + 1 * 1 + 2 * 3);  // mirrored
  const Worked edge = worked("output-1d", {{"x", "4,1,3,2,3"}, {"f", "2,1,4"}, {"i", "0"}});
  EXPECT_EQ(edge.parts.at(0).found, 1 * 4 + 4 * 1);
}

TEST(Exercise, SaysWhereAnAnswerComesFrom) {
  const Worked ghosts = worked("ghost-1d", {{"n", "8"}, {"m", "5"}});
  EXPECT_THAT(ghosts.parts.at(0).origins, ElementsAre(questions::Origin::Executed));
  const Worked many = worked("ghost-1d", {{"n", "200000"}, {"m", "5"}}, "ghosts");
  EXPECT_EQ(many.parts.at(0).found, 4);
  EXPECT_THAT(many.parts.at(0).origins, ElementsAre(questions::Origin::Definition));
  const Worked tile = worked("stencil-tiled", {{"N", "20"}, {"T", "8"}}, "shared");
  EXPECT_THAT(tile.parts.at(0).origins, ElementsAre(questions::Origin::Launch));
}

TEST(Exercise, ADisagreementIsSaid) {
  Worked one = worked("ghost-1d", {{"n", "8"}, {"m", "5"}}, "products");
  Answered& answered = one.parts.at(0);
  EXPECT_THAT(answered.disagreement(), IsEmpty());
  answered.found = *answered.found + 1;
  EXPECT_FALSE(answered.agree());
  EXPECT_EQ(answered.disagreement(),
            "The kernel gives 35 (executed), the derivation 34: one of the two counts something else.");
  // An executed sum is a float.
  EXPECT_TRUE(worked("output-1d", {{"x", "16777217"}, {"f", "1"}, {"i", "0"}}).parts.at(0).agree());
  EXPECT_TRUE(worked("output-1d", {{"x", "16777217,1,1"}, {"f", "1,1,1"}, {"i", "0"}}).parts.at(0).agree());
}

TEST(Exercise, NumbersOfTheBooksKind) {
  const Typed small = {{"N", "26"}, {"B", "8"}};
  EXPECT_EQ(worked("stencil-basic", small, "points").parts.at(0).found, 24 * 24 * 24);
  EXPECT_EQ(worked("stencil-basic", small, "blocks").parts.at(0).found, 4 * 4 * 4);
  const Typed coarsened = {{"N", "26"}, {"T", "8"}, {"Z", "5"}};
  EXPECT_EQ(worked("stencil-coarsened", coarsened, "input-tile").parts.at(0).found, 8 * 8 * 7);
  EXPECT_EQ(worked("stencil-coarsened", coarsened, "shared").parts.at(0).found, 3 * 8 * 8 * 4);
}

TEST(Exercise, AnArrayNeedNotBeSquare) {
  const Typed wide = {{"W", "50"}, {"H", "20"}, {"M", "3"}, {"X", "16"}, {"Y", "8"}};
  EXPECT_EQ(worked("basic-2d", wide, "blocks").parts.at(0).found, 4 * 3);
  EXPECT_EQ(worked("basic-2d", wide, "idle").parts.at(0).found, 64 * 24 - 50 * 20);
}

TEST(Exercise, TIsTheInputTilesEdgeInBothChapters) {
  const Typed tile = {{"N", "60"}, {"M", "5"}, {"T", "16"}};
  for (const char* const id : {"input-block", "output-block"}) {
    EXPECT_EQ(worked(id, tile, "shared").parts.at(0).found, 16 * 16 * 4) << id;
    EXPECT_EQ(worked(id, tile, "blocks").parts.at(0).found, 5 * 5) << id << ": output tiles of 12";
  }
  EXPECT_EQ(worked("tile-3d", {{"N", "16"}, {"M", "3"}, {"T", "8"}}, "shared").parts.at(0).found, 8 * 8 * 8 * 4);
  EXPECT_EQ(worked("stencil-tiled", {{"N", "20"}, {"T", "8"}}, "shared").parts.at(0).found, 8 * 8 * 8 * 4);
}

TEST(Exercise, WhatIsTooLargeHasItsFormulaAlone) {
  const Worked huge =
      worked("basic-2d", {{"W", "1000000"}, {"H", "500000"}, {"M", "5"}, {"X", "16"}, {"Y", "8"}}, "blocks");
  EXPECT_FALSE(huge.parts.at(0).found);
  EXPECT_EQ(huge.parts.at(0).answer(), 62500.0 * 62500);  // 1,000,000 / 16 and 500,000 / 8
  EXPECT_THAT(huge.notExecuted, HasSubstr("By the formula alone"));
}

TEST(Exercise, CountsOfTwoConventionsStandSideBySide) {
  const Worked blocks = worked("stencil-tiled", {{"N", "20"}, {"T", "8"}}, "blocks");
  // The output tiles cover 20 points, of which 18 are computed.
  EXPECT_EQ(blocks.parts.at(0).found, 4 * 4 * 4);
  ASSERT_THAT(blocks.parts.at(0).conventions, SizeIs(1));
  EXPECT_EQ(blocks.parts.at(0).conventions.front().value, 3 * 3 * 3);
}

TEST(Exercise, BadInputIsOneClearSentence) {
  const auto typed = [](const char* id, const Typed& numbers) { return [id, numbers] { (void)worked(id, numbers); }; };
  EXPECT_THAT(typed("ghost-1d", {{"n", "many"}}), ThrowsMessage<InputError>("n: \"many\" is not a number"));
  EXPECT_THAT(typed("ghost-1d", {{"n", ""}}), ThrowsMessage<InputError>("n: \"\" is not a number"));
  EXPECT_THAT(typed("ghost-1d", {{"n", "nan"}}), ThrowsMessage<InputError>("n: \"nan\" is not a number"));
  EXPECT_THAT(typed("ghost-1d", {{"n", "-3"}}), ThrowsMessage<InputError>(HasSubstr("it can be 1 to")));
  EXPECT_THAT(typed("ghost-1d", {{"n", "1e300"}}), ThrowsMessage<InputError>(HasSubstr("it can be 1 to")));
  EXPECT_THAT(typed("ghost-1d", {{"n", "2.5"}}), ThrowsMessage<InputError>("n: 2.5 is not an integer"));
  EXPECT_THAT(typed("ghost-1d", {{"m", "4"}}), ThrowsMessage<InputError>(HasSubstr("m: 4 is even")));
  EXPECT_THAT(typed("ghost-1d", {{"n", "3"}, {"m", "5"}}),
              ThrowsMessage<InputError>("The filter is longer than the array."));
  EXPECT_THAT(typed("output-1d", {{"f", "1,2"}}), ThrowsMessage<InputError>(HasSubstr("no middle one")));
  EXPECT_THAT(typed("output-1d", {{"x", "1,,2"}}), ThrowsMessage<InputError>(HasSubstr("x: \"\" is not a number")));
  EXPECT_THAT(typed("output-1d", {{"i", "9"}}), ThrowsMessage<InputError>(HasSubstr("no element with this index")));
  EXPECT_THAT(typed("ghost-1d", {{"q", "9"}}), ThrowsMessage<InputError>(HasSubstr("has no number \"q\"")));
  EXPECT_THAT(typed("gost-1d", {}), ThrowsMessage<InputError>(HasSubstr("did you mean ghost-1d?")));
}

}  // namespace
}  // namespace haloscope
