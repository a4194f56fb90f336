#pragma once

#include <imgui.h>

#include <optional>

#include "actions/ShownBlock.h"
#include "render/SceneModel.h"
#include "render/SceneProjection.h"
#include "ui/widgets/Theme.h"

/// The text of a 1D block's scene: values in its cells, indices above them, names of its arrays.
namespace haloscope::ui {

/// Pixels at scale 1 around a strip.
inline constexpr float kStripMargin = 6;
/// The width that a value needs to be distinguishable from another.
inline constexpr const char* kStripValue = "-.00";

/// What the framing of a strip leaves free: a line for the input's name above it, one for the output's below.
[[nodiscard]] render::SceneMargins stripMargins(const Theme& theme);

class StripText {
 public:
  StripText(const Theme& theme, const ShownBlock& block, const render::SceneModel& model,
            const render::SceneProjection& projection, ImVec2 min, ImVec2 max);

  /// Draws into the rectangle in which the projection's picture lies.
  void draw() const;

 private:
  struct Number {
    double value;
    bool real;  ///< it may have digits after the point
  };
  /// What is in a cell, as far as it is known at this step.
  [[nodiscard]] std::optional<Number> valueOf(const render::SceneSource& source) const;
  [[nodiscard]] ImU32 fillOf(const render::SceneBox& box) const;
  [[nodiscard]] ImVec2 onScreen(const glm::vec3& point) const;
  [[nodiscard]] float cellWidth() const;
  void drawValues(bool outputs) const;
  void drawRulers() const;
  void drawNames() const;

  const Theme& theme_;
  const ShownBlock& block_;
  const render::SceneModel& model_;
  const render::SceneProjection& projection_;
  ImVec2 min_, max_;
};

}  // namespace haloscope::ui
