#include "render/Image.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "tests/render/StructuralSimilarity.h"

namespace haloscope::render {
namespace {

/// Soft rings: structure at several scales.
Image rings(float phase) {
  Image image(64, 48);
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      const float radius = std::hypot(static_cast<float>(x) - 30, static_cast<float>(y) - 20);
      const auto value = static_cast<std::uint8_t>(127 + 120 * std::sin(radius * 0.5F + phase));
      std::uint8_t* pixel = image.rgba.data() + (static_cast<std::size_t>(y) * 64 + static_cast<std::size_t>(x)) * 4;
      pixel[0] = value;
      pixel[1] = static_cast<std::uint8_t>(x);
      pixel[2] = static_cast<std::uint8_t>(y);
      pixel[3] = 255;
    }
  }
  return image;
}

TEST(Image, SurvivesAPng) {
  const auto path = std::filesystem::temp_directory_path() / "haloscope_image_test.png";
  const Image written = rings(0);
  std::ofstream(path, std::ios::binary) << written.png();
  const Image read = Image::read(path);
  std::filesystem::remove(path);
  EXPECT_EQ(read.width, written.width);
  EXPECT_EQ(read.height, written.height);
  EXPECT_EQ(read.rgba, written.rgba);
}

TEST(Image, NamesTheFileItCannotReadOrWrite) {
  try {
    (void)Image::read("/nonexistent/picture.png");
    FAIL();
  } catch (const ImageError& error) {
    EXPECT_NE(std::string(error.what()).find("/nonexistent/picture.png"), std::string::npos);
  }
}

TEST(StructuralSimilarity, IsOneForEqualPictures) { EXPECT_DOUBLE_EQ(structuralSimilarity(rings(0), rings(0)), 1); }

TEST(StructuralSimilarity, FallsWithTheDifference) {
  const double slight = structuralSimilarity(rings(0), rings(0.1F));
  const double strong = structuralSimilarity(rings(0), rings(1.5F));
  EXPECT_LT(slight, 1);
  EXPECT_GT(slight, 0.9);
  EXPECT_LT(strong, 0.6);
}

TEST(StructuralSimilarity, IsZeroForDifferentSizes) { EXPECT_EQ(structuralSimilarity(Image(8, 8), Image(8, 9)), 0); }

}  // namespace
}  // namespace haloscope::render
