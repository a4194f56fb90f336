#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "FieldSupport.h"
#include "program/SourceLocation.h"

/// Planes of a field: which value is drawn where, in which colour.
namespace haloscope::render {
namespace {

TEST_F(FieldTest, EveryCellOfAnImageHasTheColourOfItsValue) {
  const FieldGrid grid = FieldGrid::of({3, 5}, ValueType::F32);
  const auto value = [](auto, auto y, auto x) { return 10.0 * static_cast<double>(y) + static_cast<double>(x); };
  const FieldView view{.width = 200, .height = 100, .low = 0, .high = 24};
  const Image image = draw(grid, fieldOf(grid, value), view);
  const FieldFrame frame = FieldFrame::of(grid, FieldPlane::of(grid, 0, 0.5F), view.width, view.height);
  EXPECT_EQ(frame.cell, 33);  // 100 / 3, whole
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 5; ++column) {
      const auto x = static_cast<int>(frame.left + frame.cell * (static_cast<float>(column) + 0.5F));
      const auto y = static_cast<int>(frame.top + frame.cell * (static_cast<float>(row) + 0.5F));
      expectColour(pixelOf(image, x, y), fieldColour(static_cast<float>(value(0, row, column)) / 24));
    }
  }
  expectColour(pixelOf(image, 3, 50), FieldSurroundings{}.background);
  expectColour(pixelOf(image, 197, 50), FieldSurroundings{}.background);
}

TEST_F(FieldTest, ASliceAcrossEachAxisShowsItsPlane) {
  const FieldGrid grid = FieldGrid::of({4, 5, 6}, ValueType::F32);
  const auto value = [](auto z, auto y, auto x) { return static_cast<double>((z * 5 + y) * 6 + x); };
  const std::vector<std::byte> field = fieldOf(grid, value);
  for (int axis = 0; axis < 3; ++axis) {
    const FieldView view{.width = 120, .height = 120, .axis = axis, .slice = 1.0F / 3, .low = 0, .high = 119};
    const FieldPlane plane = FieldPlane::of(grid, axis, view.slice);
    const FieldFrame frame = FieldFrame::of(grid, plane, view.width, view.height);
    const Image image = draw(grid, field, view);
    for (std::int64_t row = 0; row < frame.rows; ++row) {
      for (std::int64_t column = 0; column < frame.columns; ++column) {
        std::array<std::int64_t, 3> at{};
        at.at(static_cast<std::size_t>(axis)) = plane.position;
        at.at(static_cast<std::size_t>(plane.rowAxis)) = row;
        at.at(static_cast<std::size_t>(plane.columnAxis)) = column;
        const auto x = static_cast<int>(frame.left + frame.cell * (static_cast<float>(column) + 0.5F));
        const auto y = static_cast<int>(frame.top + frame.cell * (static_cast<float>(row) + 0.5F));
        expectColour(pixelOf(image, x, y), fieldColour(static_cast<float>(value(at[0], at[1], at[2])) / 119));
      }
    }
  }
}

TEST_F(FieldTest, CellsSmallerThanAPixelAreAveraged) {
  const FieldGrid grid = FieldGrid::of({256, 256}, ValueType::F32);
  const auto checkers = fieldOf(grid, [](auto, auto y, auto x) { return (x + y) % 2; });
  const Image image = draw(grid, checkers, {.width = 64, .height = 64});
  expectColour(pixelOf(image, 20, 40), fieldColour(0.5F));
}

TEST_F(FieldTest, ValuesThatAreNoNumberAreMarked) {
  const FieldGrid grid = FieldGrid::of({1, 3}, ValueType::F32);
  const auto values = fieldOf(grid, [](auto, auto, auto x) {
    return x == 0 ? std::numeric_limits<double>::quiet_NaN() : x == 1 ? std::numeric_limits<double>::infinity() : 1.0;
  });
  const Image image = draw(grid, values, {.width = 90, .height = 30});
  expectColour(pixelOf(image, 15, 15), FieldSurroundings{}.fault);
  expectColour(pixelOf(image, 45, 15), FieldSurroundings{}.fault);
  expectColour(pixelOf(image, 75, 15), fieldColour(1));
}

TEST_F(FieldTest, TheRangeLeavesOutWhatIsNoNumber) {
  const FieldGrid grid = FieldGrid::of({20, 30, 40}, ValueType::F32);
  const auto values = fieldOf(grid, [](auto z, auto y, auto x) {
    if (z == 3 && y == 7 && x == 11) { return std::numeric_limits<double>::quiet_NaN(); }
    if (z == 19 && y == 29 && x == 39) { return 7.5; }
    if (z == 0 && y == 0 && x == 0) { return -2.25; }
    return 0.5;
  });
  field::FieldBuffers buffers(grid, nullptr);
  buffers.fill(values);
  FieldBricks bricks(shaderFolder());
  bricks.update(grid, buffers.shown());
  const auto range = bricks.takeRange(true);
  ASSERT_TRUE(range);
  EXPECT_EQ(range->low, -2.25F);
  EXPECT_EQ(range->high, 7.5F);
  EXPECT_FALSE(bricks.takeRange(true)) << "only once per update";
  EXPECT_EQ(buffers.valueAt({19, 29, 39}), 7.5F);
}

TEST_F(FieldTest, AFieldThatOpenGLCannotHoldIsRefusedWithTheLimit) {
  const FieldGrid grid = FieldGrid::of({2048, 2048, 2048}, ValueType::F32);
  try {
    const field::FieldBuffers buffers(grid, nullptr);
    FAIL() << "32 GiB were not refused";
  } catch (const InputError& refusal) {
    EXPECT_NE(std::string(refusal.what()).find("32768 MiB"), std::string::npos) << refusal.what();
  }
  EXPECT_THROW(field::FieldBuffers(FieldGrid::of({4, 4}, ValueType::I32), nullptr), InputError);
}

TEST_F(FieldTest, HalfAndDoubleAreDrawnAsFloatIs) {
  // An odd number of points: the last half is alone in its word. All values are exact in each type.
  const auto value = [](auto z, auto y, auto x) { return static_cast<double>(z * 40 + y * 8 + x) / 4 - 3; };
  const auto values = [&](ValueType type) {
    const FieldGrid grid = FieldGrid::of({3, 5, 7}, type);
    return std::pair{grid, fieldOf(grid, value)};
  };
  const auto [floats, floatValues] = values(ValueType::F32);
  for (const ValueType type : {ValueType::F16, ValueType::F64}) {
    const auto [grid, field] = values(type);
    for (const bool volume : {false, true}) {
      const FieldView view{.width = 80, .height = 60, .volume = volume, .slice = 1, .low = -3, .high = 28};
      EXPECT_EQ(draw(grid, field, view).rgba, draw(floats, floatValues, view).rgba) << name(type) << ' ' << volume;
    }
    field::FieldBuffers buffers(grid, nullptr);
    buffers.fill(field);
    EXPECT_EQ(buffers.valueAt({2, 4, 6}), value(2, 4, 6)) << name(type);
    EXPECT_EQ(buffers.valueAt({0, 3, 2}), value(0, 3, 2)) << name(type);
    FieldBricks bricks(shaderFolder());
    bricks.update(grid, buffers.shown());
    const auto range = bricks.takeRange(true);
    ASSERT_TRUE(range);
    EXPECT_EQ(range->low, -3);
    EXPECT_EQ(range->high, static_cast<float>(value(2, 4, 6)));
  }
}

TEST_F(FieldTest, AValueOfADoubleIsTheExactOne) {
  const FieldGrid grid = FieldGrid::of({1, 3}, ValueType::F64);
  field::FieldBuffers buffers(grid, nullptr);
  buffers.fill(fieldOf(grid, [](auto, auto, auto x) { return 1.0 / static_cast<double>(x + 3); }));
  EXPECT_EQ(buffers.valueAt({0, 0, 1}), 0.25);
  EXPECT_EQ(buffers.valueAt({0, 0, 0}), 1.0 / 3);
}

TEST(FieldGridTest, APixelFindsItsCellAndBack) {
  const FieldGrid grid = FieldGrid::of({8, 16}, ValueType::F32);
  const FieldFrame frame = FieldFrame::of(grid, FieldPlane::of(grid, 2, 0.9F), 400, 300);
  std::int64_t column = 0;
  std::int64_t row = 0;
  EXPECT_TRUE(frame.cellAt(frame.left + frame.cell * 15.5F, frame.top + frame.cell * 7.5F, column, row));
  EXPECT_EQ(column, 15);
  EXPECT_EQ(row, 7);
  EXPECT_FALSE(frame.cellAt(frame.left - 1, 150, column, row));
}

TEST(FieldColourTest, TheScaleGrowsLighterAllTheWay) {
  float last = -1;
  for (int i = 0; i <= 100; ++i) {
    const FieldColour c = fieldColour(static_cast<float>(i) / 100);
    const float light = 0.2126F * c[0] + 0.7152F * c[1] + 0.0722F * c[2];
    EXPECT_GT(light, last) << i;
    last = light;
  }
}

TEST(FieldColourTest, ASignedScaleLeavesItsNeutralMiddleEvenlyOnBothSides) {
  for (const FieldScale scale : {FieldScale::SignedOnDark, FieldScale::SignedOnLight}) {
    const FieldColour zero = fieldColour(0.5F, scale);
    EXPECT_LT(std::ranges::max(zero) - std::ranges::min(zero), 0.03F) << "grey";
    const float away = scale == FieldScale::SignedOnDark ? 1 : -1;
    float lastBelow = luma(zero), lastAbove = lastBelow;
    for (int i = 1; i <= 50; ++i) {
      const float amount = static_cast<float>(i) / 100;
      const float below = luma(fieldColour(0.5F - amount, scale));
      const float above = luma(fieldColour(0.5F + amount, scale));
      EXPECT_NEAR(below, above, 0.09F) << i;
      EXPECT_GT(away * (below - lastBelow), 0.005F) << i;
      EXPECT_GT(away * (above - lastAbove), 0.005F) << i;
      lastBelow = below;
      lastAbove = above;
    }
    EXPECT_GT(away * (std::min(lastBelow, lastAbove) - luma(zero)), 0.5F);
  }
}

/// As people without one kind of cone see it (Machado, Oliveira and Fernandes 2009), in linear light.
FieldColour seenBy(const std::array<std::array<float, 3>, 3>& eyes, const FieldColour& colour) {
  FieldColour seen{};
  for (std::size_t i = 0; i < 3; ++i) {
    float sum = 0;
    for (std::size_t j = 0; j < 3; ++j) { sum += eyes.at(i).at(j) * std::pow(colour.at(j), 2.2F); }
    seen.at(i) = std::pow(std::clamp(sum, 0.0F, 1.0F), 1 / 2.2F);
  }
  return seen;
}

TEST(FieldColourTest, ColourBlindPeopleTellTheSignsApart) {
  constexpr std::array<std::array<float, 3>, 3> kProtan{
      {{0.152286F, 1.052583F, -0.204868F}, {0.114503F, 0.786281F, 0.099216F}, {-0.003882F, -0.048116F, 1.051998F}}};
  constexpr std::array<std::array<float, 3>, 3> kDeutan{
      {{0.367322F, 0.860646F, -0.227968F}, {0.280085F, 0.672501F, 0.047413F}, {-0.011820F, 0.042940F, 0.968881F}}};
  constexpr std::array<std::array<float, 3>, 3> kTritan{
      {{1.255528F, -0.076749F, -0.178779F}, {-0.078411F, 0.930809F, 0.147602F}, {0.004733F, 0.691367F, 0.303900F}}};
  for (const FieldScale scale : {FieldScale::SignedOnDark, FieldScale::SignedOnLight}) {
    for (const auto& eyes : {kProtan, kDeutan, kTritan}) {
      for (const float amount : {0.15F, 0.25F, 0.35F, 0.5F}) {
        const FieldColour below = seenBy(eyes, fieldColour(0.5F - amount, scale));
        const FieldColour above = seenBy(eyes, fieldColour(0.5F + amount, scale));
        float most = 0;
        for (std::size_t i = 0; i < 3; ++i) { most = std::max(most, std::abs(below.at(i) - above.at(i))); }
        EXPECT_GT(most, 0.15F) << amount;
      }
    }
  }
}

TEST(FieldColourTest, OnlyValuesOfBothSignsAreSigned) {
  EXPECT_TRUE(isSigned(-1, 1));
  EXPECT_TRUE(isSigned(-0.1F, 1));
  EXPECT_FALSE(isSigned(0, 1));
  EXPECT_FALSE(isSigned(-1, 0));
  EXPECT_FALSE(isSigned(-3, -1));
  EXPECT_FALSE(isSigned(-1e-6F, 1)) << "rounding";
  EXPECT_EQ(scaleEnds(-0.25F, 1), (std::array{-1.0F, 1.0F})) << "zero is in the middle";
  EXPECT_EQ(scaleEnds(2, 3), (std::array{2.0F, 3.0F}));
  const FieldSurroundings dark, light{.background = {0.95F, 0.95F, 0.95F}};
  EXPECT_EQ(dark.scaleOf(-1, 1, false), FieldScale::SignedOnDark);
  EXPECT_EQ(light.scaleOf(-1, 1, false), FieldScale::SignedOnLight);
  EXPECT_EQ(light.scaleOf(0, 1, false), FieldScale::Plain);
  EXPECT_EQ(light.scaleOf(-1, 1, true), FieldScale::Grey);
}

}  // namespace
}  // namespace haloscope::render
