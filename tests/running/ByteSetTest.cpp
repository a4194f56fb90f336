#include "running/ByteSet.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <random>
#include <utility>
#include <vector>

namespace haloscope::running {
namespace {

/// By byte, as `next` goes through them.
std::vector<bool> bytesOf(const ByteSet& set, std::uint64_t count) {
  std::vector<bool> all(count);
  for (std::optional<ByteRun> run = set.next(0); run; run = set.next(run->end)) {
    for (std::uint64_t byte = run->begin; byte < run->end; ++byte) { all.at(byte) = true; }
  }
  return all;
}

TEST(ByteSet, HasRows) {
  std::vector<bool> expected(40);
  for (const std::size_t byte : {5, 6, 7, 15, 16, 17, 25, 26, 27}) { expected[byte] = true; }
  EXPECT_EQ(bytesOf(ByteSet::rows(5, 10, 3, 3), 40), expected);
  EXPECT_TRUE(ByteSet::rows(5, 10, 0, 3).empty());
  const std::optional<ByteRun> whole = ByteSet::rows(8, 4, 4, 6).next(9);
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->begin, 9U);
  EXPECT_EQ(whole->end, 32U);
}

TEST(ByteSet, FindsTheFirstByteOfBoth) {
  EXPECT_FALSE(firstCommon(ByteSet::rows(0, 10, 5, 8), ByteSet::rows(5, 10, 5, 8)));
  const auto both = firstCommon(ByteSet::rows(0, 10, 5, 8), ByteSet::rows(24, 1, 1, 3));
  ASSERT_TRUE(both);
  EXPECT_EQ(both->begin, 24U);
  EXPECT_EQ(both->end, 25U);
  EXPECT_FALSE(firstCommon(ByteSet(), ByteSet::rows(0, 1, 1, 1)));
}

TEST(ByteSet, OfUnitsIsWhatItsBitsSay) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 200; ++round) {
    const std::uint64_t unit = std::uint64_t{1} << (random() % 4);
    std::vector<std::uint64_t> one(3), other(3);
    for (int bit = 0; bit < static_cast<int>(random() % 40); ++bit) { one[random() % 3] |= random() & random(); }
    for (int bit = 0; bit < 3; ++bit) { other[random() % 3] |= std::uint64_t{1} << (random() % 64); }
    std::optional<std::uint64_t> first;
    std::vector<bool> expected(3 * 64 * unit);
    for (std::uint64_t byte = 0; byte < expected.size(); ++byte) {
      const std::uint64_t at = byte / unit;
      const bool inOne = ((one[at / 64] >> (at % 64)) & 1) != 0, inOther = ((other[at / 64] >> (at % 64)) & 1) != 0;
      expected[byte] = inOne;
      if (inOne && inOther && !first) { first = byte; }
    }
    const ByteSet a = ByteSet::units(unit, one), b = ByteSet::units(unit, other);
    EXPECT_EQ(bytesOf(a, expected.size()), expected);
    const auto both = firstCommon(a, b);
    EXPECT_EQ(both ? std::optional(both->begin) : std::nullopt, first);
  }
}

}  // namespace
}  // namespace haloscope::running
