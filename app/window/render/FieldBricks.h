#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "render/FieldGrid.h"
#include "render/FieldShader.h"

struct __GLsync;

namespace haloscope::render {

/// Lowest and highest finite value of a field.
struct FieldRange {
  float low = 0, high = 0;
};

/// Lowest and highest values of a field, for each brick of 8×8×8 cells, so that rays can skip empty ones, and of the
/// whole. Found on the GPU that draws; the whole's comes back a frame or two later, without waiting.
class FieldBricks {
 public:
  static constexpr std::int64_t kEdge = 8;

  explicit FieldBricks(const std::filesystem::path& shaders);
  FieldBricks(const FieldBricks&) = delete;
  FieldBricks& operator=(const FieldBricks&) = delete;
  ~FieldBricks();

  /// Queues the search in the shader storage buffer `field`. Throws InputError if the field has too many bricks along
  /// an axis.
  void update(const FieldGrid& grid, std::uint32_t field);
  /// The range that the last update() found, once it is there, and once only. None too for a field without a finite
  /// value. With `wait`, waits for it.
  std::optional<FieldRange> takeRange(bool wait = false);

  /// A range that takeRange() has not returned yet.
  [[nodiscard]] bool searching() const { return fence_ != nullptr; }

  /// Shader storage buffer with low and high of each brick, slowest axis first.
  [[nodiscard]] std::uint32_t buffer() const { return bricks_; }
  [[nodiscard]] glm::ivec3 counts() const { return counts_; }  ///< slowest axis first

 private:
  FieldShader bricksShader_, rangeShader_;
  std::uint32_t bricks_ = 0, range_ = 0;
  std::int64_t capacity_ = 0;  ///< bricks that bricks_ has room for
  glm::ivec3 counts_{0};
  __GLsync* fence_ = nullptr;
};

}  // namespace haloscope::render
