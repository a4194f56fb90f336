#include "ui/scene/SceneAxes.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "language/Text.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

namespace {

constexpr float kLength = 20;  ///< of the longest arrow, at scale 1
constexpr float kHead = 4;     ///< half as wide, and as long

struct Axis {
  glm::vec3 direction;
  std::string name;
  glm::vec2 onScreen{0};
};

std::vector<Axis> axesOf(const render::SceneModel& model, const render::SceneFacts& facts, std::size_t rank) {
  if (rank == 0) { return {}; }
  if (rank == 1) { return {{{1, 0, 0}, tr("index: next in memory")}}; }
  const std::string fold = model.fold.columns > 0 ? trf(", folded every {}", model.fold.columns) : "";
  std::vector<Axis> axes = {{{1, 0, 0}, tr("x: next in memory") + fold}, {{0, 0, 1}, "y"}};
  if (rank >= 3) { axes.push_back({{0, 1, 0}, facts.axis}); }
  return axes;
}

void arrow(ImDrawList* list, ImVec2 from, ImVec2 to, float head, float width, ImU32 colour) {
  const float length = std::hypot(to.x - from.x, to.y - from.y);
  if (length < 1) { return; }
  const ImVec2 along = {(to.x - from.x) / length * head, (to.y - from.y) / length * head};
  const ImVec2 neck = {to.x - along.x, to.y - along.y};
  list->AddLine(from, neck, colour, width);
  list->AddTriangleFilled(to, {neck.x - along.y / 2, neck.y + along.x / 2},
                          {neck.x + along.y / 2, neck.y - along.x / 2}, colour);
}

}  // namespace

LabelPlace drawSceneAxes(const Theme& theme, const render::SceneProjection& projection, const render::SceneModel& model,
                         const render::SceneFacts& facts, std::size_t rank, ImVec2 min, ImVec2 max, ImVec2 corner,
                         const std::vector<LabelPlace>& labels) {
  std::vector<Axis> axes = axesOf(model, facts, rank);
  const glm::vec2 centre = projection.project(glm::vec3(0));
  float longest = 0;
  for (Axis& axis : axes) {
    axis.onScreen = projection.project(axis.direction) - centre;
    longest = std::max(longest, std::hypot(axis.onScreen.x, axis.onScreen.y));
  }
  if (longest <= 0) { return {}; }
  const FontScope font(theme, Face::Sans, TextSize::Small);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const Palette& colours = theme.colours();
  const float reach = theme.px(kLength + 16);
  const float free = min.x + reach + model.freeAt * (max.x - min.x - 2 * reach - textWidth(axes.front().name));
  ImVec2 from{std::max(free, min.x + corner.x + reach), max.y - theme.px(kLength + 8)};
  const float up = theme.px(kLength) + ImGui::GetTextLineHeight();
  const float right = reach + textWidth(axes.front().name);
  const auto isFree = [&](ImVec2 at) {
    const ImVec2 low{at.x - theme.px(kLength), at.y - up}, high{at.x + right, at.y + theme.px(kLength + 8)};
    return std::ranges::none_of(labels, [&](const LabelPlace& label) {
      return label.min.x < high.x && low.x < label.max.x && label.min.y < high.y && low.y < label.max.y;
    });
  };
  // Else above what covers the corner, or further along the lower edge.
  std::vector<ImVec2> places{from, {min.x + reach, max.y - corner.y - theme.px(kLength + 8)}};
  for (float x = from.x; x + right < max.x; x += theme.px(kLength)) { places.emplace_back(x, from.y); }
  const auto place = std::ranges::find_if(places, isFree);
  from = place != places.end() ? *place : places[1];
  LabelPlace covered{from, from};
  const auto add = [&](ImVec2 low, ImVec2 high) {
    covered.min = {std::min(covered.min.x, low.x), std::min(covered.min.y, low.y)};
    covered.max = {std::max(covered.max.x, high.x), std::max(covered.max.y, high.y)};
  };
  for (const Axis& axis : axes) {
    const float scale = theme.px(kLength) / longest;
    const ImVec2 to = {from.x + axis.onScreen.x * scale, from.y + axis.onScreen.y * scale};
    const bool fastest = &axis == &axes.front();
    const ImU32 colour = fastest ? colours.text : colours.textDim;
    arrow(list, from, to, theme.px(kHead), std::max(1.0F, theme.px(fastest ? 1.75F : 1.25F)), colour);
    // Beyond the arrow's head, on the side to which it points.
    const float width = textWidth(axis.name);
    const float height = ImGui::GetTextLineHeight();
    const bool left = to.x < from.x - theme.px(2);
    const bool upward = to.y < from.y - theme.px(2) && std::abs(to.x - from.x) <= theme.px(2);
    const ImVec2 at = upward ? ImVec2(to.x - width / 2, to.y - height)
                             : ImVec2(left ? to.x - width - theme.px(3) : to.x + theme.px(3), to.y - height / 2);
    const ImVec2 words{std::max(at.x, min.x), at.y};
    textAt(list, words, colour, axis.name);
    add(words, {words.x + width, words.y + height});
  }
  return covered;
}

}  // namespace haloscope::ui
