#include "program/LineDiff.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace haloscope {
namespace {

using Lines = std::vector<std::string_view>;
constexpr LinePair::Kind kSame = LinePair::Kind::Same, kChanged = LinePair::Kind::Changed,
                         kApart = LinePair::Kind::Apart;

TEST(LineDiff, EqualTextsArePairedLineByLine) {
  const Lines text = {"a = 1;", "", "}"};
  EXPECT_EQ(pairLines(text, text), (std::vector<LinePair>{{0, 0, kSame}, {1, 1, kSame}, {2, 2, kSame}}));
  EXPECT_TRUE(pairLines({}, {}).empty());
}

TEST(LineDiff, OneSideMayBeEmpty) {
  EXPECT_EQ(pairLines({}, {"x", "y"}), (std::vector<LinePair>{{-1, 0, kApart}, {-1, 1, kApart}}));
  EXPECT_EQ(pairLines({"x"}, {}), (std::vector<LinePair>{{0, -1, kApart}}));
}

TEST(LineDiff, ALineThatWasAddedOrRemovedStandsAlone) {
  EXPECT_EQ(pairLines({"load(a);", "sum();"}, {"load(a);", "__syncthreads();", "sum();"}),
            (std::vector<LinePair>{{0, 0, kSame}, {-1, 1, kApart}, {1, 2, kSame}}));
}

TEST(LineDiff, IndentationIsNoChange) {
  EXPECT_EQ(pairLines({"  x = y;"}, {"      x = y; "}), (std::vector<LinePair>{{0, 0, kSame}}));
}

TEST(LineDiff, AnEditedLineIsPairedWithWhatItWas) {
  const std::string_view before = "  int k = blockIdx.x * OUT_TILE_DIM + threadIdx.x;";
  const std::string_view after = "  int k = 4 * (blockIdx.x * OUT_TILE_DIM + threadIdx.x);";
  EXPECT_EQ(pairLines({before}, {after}), (std::vector<LinePair>{{0, 0, kChanged}}));
  const auto [begin, end] = changedPart(before, after);
  EXPECT_EQ(before.substr(begin, end - begin), "blockIdx.x * OUT_TILE_DIM + threadIdx.x");
}

TEST(LineDiff, UnlikeLinesShareARowButNotMore) {
  EXPECT_EQ(pairLines({"float a = in[i];"}, {"__shared__ float tile[8][8];"}), (std::vector<LinePair>{{0, 0, kApart}}));
}

TEST(LineDiff, AStatementCountsMoreThanBraces) {
  // Pairing both braces would leave the statement alone.
  const auto pairs = pairLines({"}", "}", "out[i] = sum;"}, {"out[i] = sum;", "}", "}"});
  EXPECT_NE(std::find(pairs.begin(), pairs.end(), LinePair{2, 0, kSame}), pairs.end());
}

TEST(LineDiff, EveryLineAppearsOnceAndInOrder) {
  const Lines left = {"a1", "b", "c", "", "d", "}", "e"}, right = {"b", "x", "c", "d2", "}", "", "e", "f"};
  int nextLeft = 0, nextRight = 0;
  for (const LinePair& pair : pairLines(left, right)) {
    if (pair.left >= 0) { EXPECT_EQ(pair.left, nextLeft++); }
    if (pair.right >= 0) { EXPECT_EQ(pair.right, nextRight++); }
  }
  EXPECT_EQ(nextLeft, 7);
  EXPECT_EQ(nextRight, 8);
}

TEST(LineDiff, LongTextsAreComparedBetweenLinesThatOccurOnce) {
  std::vector<std::string> before, now;
  for (int line = 0; line < 20'000; ++line) {
    before.push_back(fmt::format("x{} = {};", line, line));
    if (line == 700) { now.emplace_back("// a line more"); }
    now.push_back(line == 12'000 ? "x12000 = 12000 + i;" : before.back());
    before.emplace_back("}");
    now.emplace_back("}");
  }
  const auto pairs = pairLines({before.begin(), before.end()}, {now.begin(), now.end()});
  EXPECT_EQ(pairs.size(), now.size());
  EXPECT_EQ(std::ranges::count(pairs, kSame, &LinePair::kind), 39'999);
  EXPECT_NE(std::ranges::find(pairs, LinePair{24'000, 24'001, LinePair::Kind::Changed}), pairs.end());
  EXPECT_NE(std::ranges::find(pairs, LinePair{-1, 1'400, kApart}), pairs.end());
}

TEST(LineDiff, LongTextsWithoutSuchLinesAreNotCompared) {
  const Lines left(3000, "}"), right(3000, "{");
  EXPECT_EQ(std::ranges::count(pairLines(left, right), kApart, &LinePair::kind), 3000);
}

TEST(LineDiff, TheChangedPartOfALineIsBetweenWhatIsShared) {
  EXPECT_EQ(changedPart("  f(a, b);", "f(a, c, b);"), (std::pair<std::size_t, std::size_t>{7, 7}));
  EXPECT_EQ(changedPart("f(a, c, b);", "  f(a, b);"), (std::pair<std::size_t, std::size_t>{5, 8}));
}

}  // namespace
}  // namespace haloscope
