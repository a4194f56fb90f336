#include "program/Bytes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace haloscope {
namespace {

using Writing = std::function<void(ByteWriter&)>;
using Reading = std::function<void(ByteReader&)>;

std::vector<std::byte> written(const Writing& write) {
  ByteWriter writer;
  write(writer);
  return writer.take();
}

std::string problemOf(const std::vector<std::byte>& bytes, const Reading& read) {
  try {
    ByteReader reader(bytes, "the message");
    read(reader);
    reader.finish();
    return {};
  } catch (const InputError& error) { return error.what(); }
}

std::vector<std::byte> bytesOf(std::initializer_list<int> values) {
  std::vector<std::byte> bytes;
  for (const int value : values) { bytes.push_back(static_cast<std::byte>(value)); }
  return bytes;
}

constexpr const char* kTooEarly = "the message cannot be read: it ends too early";
constexpr const char* kOutOfRange = "the message cannot be read: a number in it is out of range";

TEST(Bytes, EveryKindOfValueIsReadAsItWasWritten) {
  constexpr auto kNumbers = std::to_array<std::uint64_t>(
      {0, 1, 127, 128, 16383, 16384, 0xffffffff, std::uint64_t{1} << 63, std::numeric_limits<std::uint64_t>::max()});
  constexpr auto kSigned = std::to_array<std::int64_t>(
      {0, -1, 1, 63, -64, 64, std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()});
  enum class Colour : std::uint8_t { Red, Green };
  const SourceRange near{.line = 10, .column = 4, .endLine = 10, .endColumn = 9};
  const SourceRange range{.line = 8, .column = 70, .endLine = 12, .endColumn = 2};
  const std::string text("a\0\xff", 3);
  const std::vector<std::byte> bytes = written([&](ByteWriter& writer) {
    for (const std::uint64_t number : kNumbers) {
      writer.number(number);
      writer.fixed(number);
    }
    for (const std::int64_t number : kSigned) { writer.signedNumber(number); }
    writer.boolean(true);
    writer.enumerator(Colour::Green);
    writer.text(text);
    writer.bytes(bytesOf({1, 2}));
    writer.raw(bytesOf({3}));
    writer.range(range, near);
    writer.range({});
    writer.count(1);
    writer.fixed(0);
  });
  ByteReader reader(bytes, "the message");
  for (const std::uint64_t number : kNumbers) {
    EXPECT_EQ(reader.number(), number);
    EXPECT_EQ(reader.fixed(), number);
  }
  for (const std::int64_t number : kSigned) { EXPECT_EQ(reader.signedNumber(), number); }
  EXPECT_TRUE(reader.boolean());
  EXPECT_EQ(reader.enumerator(Colour::Green), Colour::Green);
  EXPECT_EQ(reader.text(), text);
  EXPECT_EQ(reader.bytes().size(), 2U);
  EXPECT_EQ(reader.raw(1).front(), std::byte{3});
  EXPECT_EQ(reader.range(near), range);
  EXPECT_EQ(reader.range(), SourceRange{});
  EXPECT_EQ(reader.count(8), 1U);
  EXPECT_EQ(reader.fixed(), 0U);
  EXPECT_NO_THROW(reader.finish());
}

TEST(Bytes, NumbersAreLittleEndian) {
  EXPECT_EQ(written([](ByteWriter& writer) { writer.number(300); }), bytesOf({0xac, 0x02}));
  EXPECT_EQ(written([](ByteWriter& writer) { writer.signedNumber(-2); }), bytesOf({0x03}));
  EXPECT_EQ(written([](ByteWriter& writer) { writer.fixed(0x0102); }), bytesOf({2, 1, 0, 0, 0, 0, 0, 0}));
}

TEST(Bytes, WhatEndsTooEarlyIsRefused) {
  const std::vector<Reading> readings = {
      [](ByteReader& reader) { (void)reader.byte(); },  [](ByteReader& reader) { (void)reader.number(); },
      [](ByteReader& reader) { (void)reader.text(); },  [](ByteReader& reader) { (void)reader.fixed(); },
      [](ByteReader& reader) { (void)reader.raw(8); },  [](ByteReader& reader) { (void)reader.bytes(); },
      [](ByteReader& reader) { (void)reader.range(); },
  };
  for (const Reading& read : readings) { EXPECT_EQ(problemOf({}, read), kTooEarly); }
  EXPECT_EQ(problemOf(bytesOf({0x80}), [](ByteReader& reader) { (void)reader.number(); }), kTooEarly);
  EXPECT_EQ(problemOf(bytesOf({2, 'a'}), [](ByteReader& reader) { (void)reader.text(); }), kTooEarly);
}

TEST(Bytes, ACountIsComparedWithTheBytesThatFollow) {
  const auto readCount = [](std::size_t each) {
    return [each](ByteReader& reader) {
      (void)reader.count(each);
      (void)reader.raw(reader.left());
    };
  };
  EXPECT_EQ(problemOf(bytesOf({3, 0, 0, 0}), readCount(1)), "");
  EXPECT_EQ(problemOf(bytesOf({4, 0, 0, 0}), readCount(1)), kTooEarly);
  EXPECT_EQ(problemOf(bytesOf({2, 0, 0, 0}), readCount(2)), kTooEarly);
  EXPECT_EQ(problemOf(bytesOf({0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1}), readCount(16)), kTooEarly);
}

TEST(Bytes, AValueHasOneForm) {
  const Reading readNumber = [](ByteReader& reader) { (void)reader.number(); };
  EXPECT_EQ(problemOf(bytesOf({0x81, 0x00}), readNumber), kOutOfRange);
  EXPECT_EQ(problemOf(bytesOf({0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2}), readNumber), kOutOfRange);
  EXPECT_EQ(problemOf(bytesOf({0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x81, 0}), readNumber),
            kOutOfRange);
  EXPECT_EQ(problemOf(bytesOf({2}), [](ByteReader& reader) { (void)reader.boolean(); }), kOutOfRange);
}

TEST(Bytes, NumbersBeyondTheirMostAreRefused) {
  EXPECT_EQ(problemOf(bytesOf({7}), [](ByteReader& reader) { (void)reader.number(7); }), "");
  EXPECT_EQ(problemOf(bytesOf({8}), [](ByteReader& reader) { (void)reader.number(7); }), kOutOfRange);
  const std::vector<std::byte> large = written([](ByteWriter& writer) { writer.number(std::uint64_t{1} << 32); });
  EXPECT_EQ(problemOf(large, [](ByteReader& reader) { (void)reader.word(); }), kOutOfRange);
}

TEST(Bytes, PlacesInATextAreRefusedBeyondAnyText) {
  const Reading readRange = [](ByteReader& reader) { (void)reader.range({.line = 5, .column = 5}); };
  const auto rangeOf = [](std::int64_t line, std::int64_t column) {
    return written([&](ByteWriter& writer) {
      writer.signedNumber(line);
      writer.signedNumber(column);
      writer.signedNumber(0);
      writer.signedNumber(0);
    });
  };
  EXPECT_EQ(problemOf(rangeOf(-5, -5), readRange), "");
  EXPECT_EQ(problemOf(rangeOf(-6, 0), readRange), kOutOfRange);
  EXPECT_EQ(problemOf(rangeOf(0, -6), readRange), kOutOfRange);
  EXPECT_EQ(problemOf(rangeOf(ByteReader::kMaxLine, 0), readRange), kOutOfRange);
  EXPECT_EQ(problemOf(rangeOf(std::numeric_limits<std::int64_t>::min(), 0), readRange), kOutOfRange);
  EXPECT_EQ(problemOf(rangeOf(0, std::numeric_limits<std::int64_t>::max()), readRange), kOutOfRange);
}

TEST(Bytes, NothingMayFollow) {
  EXPECT_EQ(problemOf(bytesOf({1, 2}), [](ByteReader& reader) { (void)reader.byte(); }),
            "the message cannot be read: more follows after its end");
}

}  // namespace
}  // namespace haloscope
