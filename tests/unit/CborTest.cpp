#include "program/Cbor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "program/SourceLocation.h"

namespace haloscope {
namespace {

using nlohmann::json;

std::string problemOf(const std::vector<std::byte>& bytes) {
  try {
    (void)fromCbor(bytes, "the message");
    return {};
  } catch (const InputError& error) { return error.what(); }
}

TEST(Cbor, KeepsAValue) {
  const json value = {{"name", "in"}, {"extents", {4, 8}}, {"ms", 0.25}, {"ready", true}, {"none", nullptr}};
  EXPECT_EQ(fromCbor(toCbor(value), "the message"), value);
}

TEST(Cbor, RefusesWhatIsNotOneValue) {
  std::vector<std::byte> bytes = toCbor({{"extents", {4, 8}}});
  bytes.push_back(std::byte{0});
  EXPECT_THAT(problemOf(bytes), ::testing::StartsWith("the message cannot be read: "));
  bytes.resize(bytes.size() - 2);
  EXPECT_THAT(problemOf(bytes), ::testing::StartsWith("the message cannot be read: "));
  EXPECT_NE(problemOf({}), "");
  EXPECT_NE(problemOf({std::byte{0xff}}), "");
}

TEST(Cbor, RefusesDeepNestingBeforeTheStackOverflows) {
  const std::vector<std::byte> arrays(std::size_t{1} << 22, std::byte{0x81});   // [[[…
  const std::vector<std::byte> objects(std::size_t{1} << 22, std::byte{0xa1});  // no keys
  EXPECT_EQ(problemOf(arrays), "the message cannot be read: it is nested too deeply");
  EXPECT_NE(problemOf(objects), "");
}

TEST(Cbor, RefusesALengthThatIsNotThere) {
  // A string and an array that claim 2^62 bytes and elements.
  for (const std::byte type : {std::byte{0x7b}, std::byte{0x9b}, std::byte{0x5b}, std::byte{0xbb}}) {
    std::vector<std::byte> bytes{type, std::byte{0x40}};
    bytes.resize(9);
    EXPECT_NE(problemOf(bytes), "");
  }
}

TEST(Cbor, RefusesLengthsThatAreLeftOpen) {
  constexpr std::size_t kMany = 300'000;
  for (const int type : {0x5f, 0x7f, 0x9f, 0xbf}) {
    const std::vector<std::byte> bytes(kMany, static_cast<std::byte>(type));
    EXPECT_EQ(problemOf(bytes), "the message cannot be read: a value of it has no length") << type;
    // Within a value that is fine, and closed again.
    std::vector<std::byte> inside{std::byte{0x82}, std::byte{0x01}, static_cast<std::byte>(type), std::byte{0xff}};
    EXPECT_EQ(problemOf(inside), "the message cannot be read: a value of it has no length") << type;
  }
}

TEST(Cbor, RefusesTagsAndValuesOfNoUse) {
  const std::vector<std::byte> tags(300'000, std::byte{0xc1});
  EXPECT_EQ(problemOf(tags), "the message cannot be read: a value of it is of no known type");
  for (const int initial : {0x1c, 0x3d, 0x5e, 0xdc, 0xf7, 0xf8, 0xfc, 0xff}) {
    EXPECT_NE(problemOf({static_cast<std::byte>(initial), std::byte{0}}), "") << initial;
  }
}

TEST(Cbor, RefusesMoreValuesThanAnyMessageHas) {
  std::vector<std::byte> bytes{std::byte{0x9a}, std::byte{0}, std::byte{0x10}, std::byte{0}, std::byte{0}};
  bytes.resize(bytes.size() + (std::size_t{1} << 20), std::byte{0x80});  // a million empty arrays
  EXPECT_EQ(problemOf(bytes), "the message cannot be read: it has too many values");
}

TEST(Cbor, ReadsEveryLengthOfANumber) {
  for (const std::uint64_t number : {0ULL, 23ULL, 24ULL, 255ULL, 256ULL, 65'536ULL, 1ULL << 32, ~0ULL}) {
    EXPECT_EQ(fromCbor(toCbor(number), "the message"), json(number));
  }
  EXPECT_EQ(fromCbor(toCbor({-1, -300, -70'000, std::string(70'000, 'x'), 1.5, 0.1}), "the message"),
            json({-1, -300, -70'000, std::string(70'000, 'x'), 1.5, 0.1}));
}

}  // namespace
}  // namespace haloscope
