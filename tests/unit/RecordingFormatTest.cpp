#include <gtest/gtest.h>

#include <bit>
#include <cstdint>

#include "RecordingSample.h"
#include "recording/BlockView.h"

namespace haloscope::recording {
namespace {

std::uint64_t bitsOf(float value) { return std::bit_cast<std::uint32_t>(value); }

TEST(RecordingFormatTest, WritesReadableValues) {
  EXPECT_EQ(formatValue(ValueType::F32, bitsOf(0.61843F)), "0.61843");
  EXPECT_EQ(formatValue(ValueType::F32, bitsOf(0.1F)), "0.1");
  EXPECT_EQ(formatExact(ValueType::F32, bitsOf(1.0F / 3.0F)), "0.33333334");
  EXPECT_EQ(formatValue(ValueType::F64, std::bit_cast<std::uint64_t>(-2.5)), "-2.5");
  EXPECT_EQ(formatValue(ValueType::I32, static_cast<std::uint32_t>(-3)), "-3");
  EXPECT_EQ(formatValue(ValueType::I8, 0xfeU), "-2");
  EXPECT_EQ(formatValue(ValueType::U8, 0xfeU), "254");
  EXPECT_EQ(formatValue(ValueType::Bool, 1), "true");
  EXPECT_EQ(formatValue(ValueType::F32, kPoison), "unwritten");
  EXPECT_EQ(formatValue(ValueType::I32, kPoison), "-1") << "an integer with all bits set may be intended";
}

TEST(RecordingFormatTest, WritesElementsWithTheirIndices) {
  EXPECT_EQ(formatElement("in", {32, 8}, 19), "in[2][3]");
  EXPECT_EQ(formatElement("in", {4, 4, 4}, 27), "in[1][2][3]");
  EXPECT_EQ(formatElement("c", {7}, 6), "c[6]");
  EXPECT_EQ(formatElement("scale", {}, 0), "scale");
  EXPECT_EQ(formatElement("in", {4, 4}, -3), "in[-3]") << "outside the array: no row is given";
  EXPECT_EQ(formatElement("in", {4, 4}, 16), "in[16]");
}

TEST(RecordingFormatTest, WritesPointersWithTheirArray) {
  const auto program = test::RecordingSample::makeProgram();
  const auto pointer = [](std::int64_t bytes) { return PackedPointer::pack(test::RecordingSample::kIn, bytes); };
  EXPECT_EQ(formatValue(*program, ValueType::Pointer, pointer(0)), "in");
  EXPECT_EQ(formatValue(*program, ValueType::Pointer, pointer(132)), "in + 33");
  EXPECT_EQ(formatValue(*program, ValueType::Pointer, pointer(-8)), "in - 2");
  EXPECT_EQ(formatValue(*program, ValueType::Pointer, pointer(2)), "in + 2 bytes");
}

TEST(RecordingFormatTest, NamesABlocksPlaceInTheGrid) {
  EXPECT_EQ(placeOf({1, 1, 1}, {3, 3, 3}), BlockPlace::Interior);
  EXPECT_EQ(placeOf({0, 1, 1}, {3, 3, 3}), BlockPlace::Face);
  EXPECT_EQ(placeOf({0, 2, 1}, {3, 3, 3}), BlockPlace::Edge);
  EXPECT_EQ(placeOf({0, 2, 0}, {3, 3, 3}), BlockPlace::Corner);
  EXPECT_EQ(placeOf({1, 0, 0}, {3, 3, 1}), BlockPlace::Edge);
  EXPECT_EQ(placeOf({2, 0, 0}, {3, 3, 1}), BlockPlace::Corner);
  EXPECT_EQ(placeOf({4, 0, 0}, {5, 1, 1}), BlockPlace::Face);
  EXPECT_EQ(placeOf({0, 0, 0}, {1, 1, 1}), BlockPlace::Only);
}

}  // namespace
}  // namespace haloscope::recording
