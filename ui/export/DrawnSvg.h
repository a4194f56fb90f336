#pragma once

#include <imgui.h>

#include <functional>
#include <string>
#include <vector>

#include "render/SceneRenderer.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// Where the pictures of a page come from, by their textures.
struct SvgPictures {
  /// The scene that a texture shows; null: it is something else.
  std::function<const render::SceneRenderer*(ImTextureID)> scene;
  /// The bytes of a PNG with the texture's pixels; `flipped`: its last row is the uppermost.
  std::function<std::string(ImTextureID, bool flipped)> png;
};

/// The most cells of a scene that are written as shapes of their own.
inline constexpr std::size_t kMostSvgCells = 20'000;

struct DrawnSvg {
  std::string text;
  bool hasPixels = false;  ///< some part of it is a picture of pixels
};

/// What ImGui has drawn, as an SVG document: shapes, words as text, scenes as polygons. `words`: what it shows, a line
/// each, for those who do not see it. ImGui's context must be the one that drew, without smoothed edges (see
/// drawSharply).
[[nodiscard]] DrawnSvg drawnSvg(const ImDrawData& data, const Theme& theme, const SvgPictures& pictures,
                                const std::vector<std::string>& words);

/// The style of frames that become SVG: shapes without the soft edges that pixels need, curves with more corners.
void drawSharply(ImGuiStyle& style);

}  // namespace haloscope::ui
