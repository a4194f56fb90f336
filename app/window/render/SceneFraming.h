#pragma once

#include <glm/vec3.hpp>
#include <span>
#include <vector>

#include "render/SceneModel.h"
#include "render/SceneProjection.h"

/// What the camera goes close to.
namespace haloscope::render {

/// Corners of what a box belongs to: an array's planes, or all that is shown of the input or of the output.
[[nodiscard]] std::vector<glm::vec3> objectCorners(const SceneModel& model, const SceneBox& box);

/// Corners around the cell of a grid point and its neighbours: in the current plane of a copy where there is one, else
/// in what is shown of the input or of the output. Empty if no cell shows it.
[[nodiscard]] std::vector<glm::vec3> neighbourhood(const SceneModel& model, const recording::GridPoint& point);

/// The orbit at the angles of `orbit` from which `points` fill the middle of a picture of `width` × `height` pixels.
[[nodiscard]] SceneOrbit framing(const SceneModel& model, const SceneOrbit& orbit, float width, float height,
                                 const SceneMargins& margins, std::span<const glm::vec3> points);

}  // namespace haloscope::render
