#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <glm/vec4.hpp>

namespace haloscope::render {

/// What a colour of the scene says. The theme gives each its hue.
enum class SceneColour : std::uint8_t {
  Interior,  ///< interior points; of planes that rotate, the current one
  Halo,
  Ghost,
  Unwritten,
  Computed,
  Output,      ///< an output point that is written
  Pending,     ///< an output point that is not written yet
  Previous,    ///< interior of the plane before the current one
  Next,        ///< interior of the plane after it
  Active,      ///< what the current step touches
  ActiveEdge,  ///< around lines of Active; transparent where they need none
  Fault,       ///< an output point that a fault reaches, or whose value is wrong
  Frame,       ///< around what a block works on of a larger plane
  Bench,       ///< on which planes lie
  Text,
  Casing,  ///< around an arrow, to part it from what it crosses
  Count,
};

/// The colours of a scene, red to alpha, 0…1.
struct ScenePalette {
  std::array<glm::vec4, static_cast<std::size_t>(SceneColour::Count)> colours{};
  glm::vec4 background{0, 0, 0, 1};
  float lineScale = 1;  ///< pixels per unit of a line's width

  [[nodiscard]] const glm::vec4& of(SceneColour colour) const { return colours[static_cast<std::size_t>(colour)]; }
  [[nodiscard]] glm::vec4& of(SceneColour colour) { return colours[static_cast<std::size_t>(colour)]; }
  bool operator==(const ScenePalette&) const = default;
};

}  // namespace haloscope::render
