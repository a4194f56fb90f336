#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "recording/PlaneSlots.h"

namespace haloscope::recording {
namespace {

constexpr ObjectId kInput = 3;

Carrier array(std::vector<std::int64_t> extents) {
  return {Carrier::Kind::SharedArray, 1, "tile_s", ValueType::F32, std::move(extents)};
}

Footprint grid() {
  Footprint footprint;
  footprint.input = kInput;
  footprint.inputExtents = {32, 32, 32};
  return footprint;
}

/// A ring of planes of 6 × 10 points with a row of padding each, which holds planes of the grid in turn.
std::vector<Cell> ring(std::int64_t planes, std::int64_t newest) {
  const Footprint footprint = grid();
  std::vector<Cell> cells(static_cast<std::size_t>(planes * 70));
  for (std::int64_t slot = 0; slot < planes; ++slot) {
    const std::int64_t z = newest - (newest - slot) % planes;
    for (std::int64_t i = 0; i < 60; ++i) {
      cells[static_cast<std::size_t>(slot * 70 + i)].origin = {Origin::Kind::Element, kInput,
                                                               footprint.element({z, 4 + i / 10, 7 + i % 10})};
    }
  }
  return cells;
}

TEST(RecordingPlaneSlots, AnArraysShapeDividesIt) {
  const PlaneSlots slots(array({3, 4, 10}), std::nullopt);
  EXPECT_EQ(slots.count(), 3U);
  EXPECT_EQ(slots.of(0), 0U);
  EXPECT_EQ(slots.of(39), 0U);
  EXPECT_EQ(slots.of(40), 1U);
  EXPECT_EQ(slots.of(119), 2U);
  EXPECT_EQ(PlaneSlots(array({2, 3, 4, 10}), std::nullopt).count(), 6U);
  EXPECT_EQ(PlaneSlots(array({4, 10}), std::nullopt).count(), 1U);
  EXPECT_EQ(PlaneSlots(array({4, 10}), 20).count(), 1U) << "its shape says that it is one plane";
}

TEST(RecordingPlaneSlots, RegistersAreOnePlane) {
  Carrier carrier = array({4, 8, 8});
  carrier.kind = Carrier::Kind::Register;
  EXPECT_EQ(PlaneSlots(carrier, std::nullopt).count(), 1U);
}

TEST(RecordingPlaneSlots, WhatItHoldsDividesAnArrayThatIsIndexedByHand) {
  const Carrier carrier = array({5 * 70});
  const auto stride = planeStride(grid(), carrier, ring(5, 9));
  ASSERT_EQ(stride, 70);
  const PlaneSlots slots(carrier, stride);
  EXPECT_EQ(slots.count(), 5U);
  EXPECT_EQ(slots.of(69), 0U);
  EXPECT_EQ(slots.of(70), 1U);
  EXPECT_EQ(slots.of(5 * 70 - 1), 4U);
}

TEST(RecordingPlaneSlots, APlaneIsNotDivided) {
  const Carrier carrier = array({70});
  EXPECT_EQ(planeStride(grid(), carrier, ring(1, 9)), std::nullopt);
  EXPECT_EQ(PlaneSlots(carrier, std::nullopt).count(), 1U);
}

}  // namespace
}  // namespace haloscope::recording
