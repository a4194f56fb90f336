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

}  // namespace
}  // namespace haloscope
