#pragma once

#include <glad/gl.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "experiment/InputData.h"
#include "field/FieldBuffers.h"
#include "render/Context.h"
#include "render/FieldBricks.h"
#include "render/FieldColours.h"
#include "render/FieldGrid.h"
#include "render/FieldRenderer.h"
#include "render/Image.h"

/// Fields with known values, drawn by Mesa's software renderer, as pictures.
namespace haloscope::render {

inline std::filesystem::path shaderFolder() { return std::filesystem::path(HALOSCOPE_SOURCE_DIR) / "shaders"; }

/// The values of a field of these extents, by a function of (slow, middle, fast).
template <typename Function>
std::vector<std::byte> fieldOf(const FieldGrid& grid, Function function) {
  ArrayData array;
  array.element = grid.element;
  array.bytes.resize(grid.bytes());
  std::int64_t element = 0;
  for (std::int64_t z = 0; z < grid.extents[0]; ++z) {
    for (std::int64_t y = 0; y < grid.extents[1]; ++y) {
      for (std::int64_t x = 0; x < grid.extents[2]; ++x) {
        experiment::setValue(array, element++, static_cast<double>(function(z, y, x)));
      }
    }
  }
  return array.bytes;
}

inline Image readTexture(std::uint32_t texture, int width, int height) {
  Image image(width, height);
  glBindTexture(GL_TEXTURE_2D, texture);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, image.rgba.data());
  return image;
}

/// Red, green, blue of a pixel, 0…1.
inline FieldColour pixelOf(const Image& image, int x, int y) {
  const auto rgba = image.at(x, y);
  return {static_cast<float>(rgba[0]) / 255, static_cast<float>(rgba[1]) / 255, static_cast<float>(rgba[2]) / 255};
}

inline void expectColour(const FieldColour& actual, const FieldColour& expected, float tolerance = 0.012F) {
  for (std::size_t i = 0; i < 3; ++i) { EXPECT_NEAR(actual.at(i), expected.at(i), tolerance) << "channel " << i; }
}

/// Brightness as perceived, roughly.
inline float luma(const FieldColour& colour) { return 0.2126F * colour[0] + 0.7152F * colour[1] + 0.0722F * colour[2]; }

class FieldTest : public testing::Test {
 protected:
  void SetUp() override {
    OffscreenOptions options;
    options.software = true;
    ASSERT_NO_THROW(context_ = Context::offscreen(options)) << "Mesa's software OpenGL is part of what run.sh installs";
  }

  /// Draws a field once.
  Image draw(const FieldGrid& grid, std::span<const std::byte> values, const FieldView& view) {
    field::FieldBuffers buffers(grid, nullptr);
    buffers.fill(values);
    FieldBricks bricks(shaderFolder());
    bricks.update(grid, buffers.shown());
    FieldRenderer renderer(shaderFolder());
    renderer.draw(grid, buffers.shown(), bricks, view);
    return readTexture(renderer.texture(), view.width, view.height);
  }

  std::unique_ptr<Context> context_;
};

}  // namespace haloscope::render
