#pragma once

#include <cstdint>
#include <filesystem>

#include "render/FieldBricks.h"
#include "render/FieldColours.h"
#include "render/FieldGrid.h"
#include "render/FieldShader.h"

namespace haloscope::render {

/// How a field is looked at.
struct FieldView {
  int width = 0, height = 0;                        ///< of the picture, in pixels
  bool volume = false;                              ///< a field of three axes as a cloud in its box; else one plane
  int axis = 0;                                     ///< that the plane cuts, 0 slowest
  float slice = 0.5F;                               ///< 0…1 along that axis
  float yaw = 0.6F, pitch = 0.5F, distance = 2.2F;  ///< see FieldCamera
  float low = 0, high = 1;                          ///< values at the ends of the colour scale
  FieldScale scale = FieldScale::Plain;             ///< between them
  int pixelStep = 1;                                ///< volume: pixelStep × pixelStep pixels share a ray
  int steps = 256;                                  ///< volume: of a ray along the box's diagonal
  FieldSurroundings surroundings{};
  bool operator==(const FieldView&) const = default;
};

/// Draws a field straight from the buffer it was computed in, into a texture. Needs a current OpenGL context, from its
/// making to its end.
class FieldRenderer {
 public:
  /// `shaders` is the folder with field_*.comp. Throws FieldShaderError.
  explicit FieldRenderer(const std::filesystem::path& shaders);
  FieldRenderer(const FieldRenderer&) = delete;
  FieldRenderer& operator=(const FieldRenderer&) = delete;
  ~FieldRenderer();

  /// Draws the shader storage buffer `field`. The bricks must be of the same field when the view is a volume.
  void draw(const FieldGrid& grid, std::uint32_t field, const FieldBricks& bricks, const FieldView& view);
  /// OpenGL texture with the picture, top row first; 0 before the first draw().
  [[nodiscard]] std::uint32_t texture() const { return texture_; }

 private:
  void reserve(int width, int height);
  void drawPlane(const FieldGrid& grid, const FieldView& view);
  void drawVolume(const FieldGrid& grid, const FieldBricks& bricks, const FieldView& view);
  static void setCommon(const FieldShader& shader, const FieldGrid& grid, const FieldView& view);

  FieldShader plane_, volume_;
  std::uint32_t texture_ = 0;
  int width_ = 0, height_ = 0;
};

}  // namespace haloscope::render
