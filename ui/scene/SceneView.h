#pragma once

#include <imgui.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "actions/ShownBlock.h"
#include "render/SceneRenderer.h"
#include "state/AppState.h"
#include "ui/scene/SceneLabels.h"
#include "ui/widgets/LabelPlacer.h"
#include "ui/widgets/Theme.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

/// What a scene shows.
struct SceneStage {
  ShownBlock block;
  std::uint32_t thread = 0;  ///< the selected one, linear in the block
  render::SceneFaults faults{};
  render::SceneOrigins origins{};
  std::optional<std::int64_t> cell{};  ///< element of the output that is outlined
  bool axes = true;                    ///< small arrows show their directions
  /// Where it shrinks to on the way to the grid's map: its middle on the screen, and its width there.
  ImVec2 place{};
  float placeWidth = 0;
  /// A picture in a text: seen from home, whatever the window's camera does, and it leaves the wheel to its page.
  bool inText = false;
  const Playback* playback = nullptr;  ///< that moves it; null: the window's
  ImU32 ground = 0;                    ///< behind it; 0: the panel's
  /// Pixels that something covers in these corners: a block that does not spare them is drawn beside and above.
  ImVec2 lowerLeft{}, upperRight{};
  /// Pixels at the right edge under a drawer: the picture is shifted out from under it, no smaller than it is.
  float coveredRight = 0;
};

struct SceneElement {
  ObjectId array = kNone;
  std::int64_t element = 0;
};

/// What the pointer did in a scene in this frame.
struct SceneAnswer {
  std::optional<std::uint32_t> thread;  ///< of the cell under it
  std::optional<std::int64_t> output;   ///< element of the output cell under it
  bool clicked = false;
  std::optional<SceneElement> typed;  ///< asked for, to be typed: of an array that the launch provides
  bool followed = false;              ///< right-clicked, to see where the output came from
  std::optional<std::size_t> box;     ///< of the model, under it
};

/// A block's picture in a rectangle: turned, shifted and zoomed by the camera that all scenes have in common, with its
/// planes' names and axes; each of its cells answers a hover. Rebuilt in every frame.
class SceneView {
 public:
  SceneView(AppState& state, const Theme& theme, render::SceneRenderer& renderer, SceneStage stage);

  /// Brings the model up to date, laid out for about that much space. Before draw().
  void update(ImVec2 space);
  [[nodiscard]] const render::SceneModel& model() const { return director_.model(); }
  /// The item `id` takes the pointer. Too small a rectangle stays empty.
  SceneAnswer draw(const char* id, ImVec2 min, ImVec2 max);
  /// After draw(): the middle of the cell that shows an element of an array, or its copy in shared memory. None if no
  /// cell does.
  [[nodiscard]] std::optional<ImVec2> cellOf(ObjectId array, std::int64_t element) const;
  /// After draw(): labels keep off the cells and their names.
  void blockCells(LabelPlacer& placer) const;

 private:
  [[nodiscard]] const Playback& playback() const;
  /// Of the scene at the cursor that is held; variants beside it go their own ways.
  [[nodiscard]] std::optional<float> held() const;
  /// Variants side by side, whose steps have a tick of the common time.
  [[nodiscard]] bool together() const;
  [[nodiscard]] float movement() const;
  /// Turns, shifts and zooms. True while the user drags.
  bool turnCamera(bool hovered, bool active);
  /// Brings the shot into view that was asked for.
  void frameShot();
  /// ... and these points.
  void goTo(std::span<const glm::vec3> points);
  /// Where it is looked at from in this frame.
  [[nodiscard]] SceneCamera camera() const;
  [[nodiscard]] render::SceneMargins margins() const;
  /// Laid out for about that much space.
  [[nodiscard]] render::SceneSpace room(ImVec2 space) const;
  [[nodiscard]] ImVec2 pixels() const;
  [[nodiscard]] render::SceneProjection projection() const;
  /// By so many pixels to the left.
  [[nodiscard]] float shiftOf(const render::SceneProjection& unmoved) const;
  void picture(bool turning);
  void drawEvents(std::vector<LabelPlace> taken, bool turning) const;
  [[nodiscard]] ImVec2 onScreen(const glm::vec3& point) const;
  void outline(const render::SceneBox& box, int cellX, int cellZ, float width, ImU32 colour) const;
  enum class Where : std::uint8_t { Everywhere, Output };
  /// Outlines a grid point's cells.
  void mark(const recording::GridPoint& point, Where where, float width, float alpha) const;
  /// Outlines the outputs that other data changed.
  void markChanged() const;
  SceneAnswer answerPointer();

  AppState& state_;
  const Theme& theme_;
  render::SceneRenderer& renderer_;
  render::SceneDirector& director_;
  SceneStage stage_;
  render::SceneProjection projection_;
  std::vector<LabelPlace> labels_;  ///< as drawn
  ImVec2 min_{}, max_{};
};

/// What is wrong with a block's outputs: because of missing barriers and, for the window's own block, of faults.
[[nodiscard]] render::SceneFaults sceneFaults(const AppState& state, const experiment::Experiment& experiment);

/// The samples of a scene's legend; they point to the words of `entries`.
[[nodiscard]] std::vector<LegendEntry> sceneLegend(const Theme& theme,
                                                   std::span<const render::SceneLegendEntry> entries);
/// As many rows as legend() will take, and their height. More than are needed keep the scene still when a colour comes
/// up.
[[nodiscard]] int legendRows(const Theme& theme, std::span<const LegendEntry> entries, float width);
[[nodiscard]] float legendHeight(const Theme& theme, int rows);

}  // namespace haloscope::ui
