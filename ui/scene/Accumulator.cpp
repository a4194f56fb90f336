#include "ui/scene/Accumulator.h"

#include <fmt/format.h>

#include <algorithm>

#include "actions/Easing.h"
#include "ui/scene/SceneLabels.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

namespace {

constexpr float kBead = 4.5F, kStalk = 24, kPad = 6;  // at scale 1
constexpr float kApart = 0.4F;                        // share of the gathering by which the last read leaves later

ImVec2 between(ImVec2 from, ImVec2 to, float share) {
  return {from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share};
}

}  // namespace

void drawAccumulator(const Theme& theme, const render::SceneModel& model, const render::SceneProjection& projection,
                     float progress, const std::string& thread, ImVec2 min, ImVec2 max, ImVec2 covered) {
  if (!model.accumulator) { return; }
  const render::SceneAccumulator& sum = *model.accumulator;
  const ImVec2 scale = ImGui::GetIO().DisplayFramebufferScale;
  const auto onScreen = [&](const glm::vec3& point) {
    const glm::vec2 pixel = projection.project(point);
    return ImVec2(min.x + pixel.x / scale.x, min.y + pixel.y / scale.y);
  };
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->PushClipRect(min, max, true);
  const Palette& colours = theme.colours();
  const float until = sum.reads.empty() ? 0.0F : sum.cell ? render::kGathered : 1.0F;
  const float gathered = until > 0 ? std::min(progress / until, 1.0F) : 1.0F;
  const ImVec2 at = onScreen(sum.at);
  for (std::size_t i = 0; i < sum.reads.size(); ++i) {
    const float first = kApart * static_cast<float>(i) / static_cast<float>(std::max<std::size_t>(sum.reads.size(), 2));
    const float share = std::clamp((gathered - first) / (1 - kApart), 0.0F, 1.0F);
    if (share >= 1) { continue; }
    const ImVec2 bead = between(onScreen(sum.reads[i].from), at, eased(share));
    list->AddCircleFilled(bead, theme.px(kBead), sceneColour(theme, sum.reads[i].colour));
    list->AddCircle(bead, theme.px(kBead), colours.active, 0, theme.px(1.75F));
  }
  const float settled = sum.cell && until < 1 ? std::clamp((progress - until) / (1 - until), 0.0F, 1.0F) : 0.0F;
  const ImVec2 place = sum.cell ? between(at, onScreen(*sum.cell), eased(settled)) : at;
  const std::string& value = gathered < 1 ? sum.before : sum.after;
  list->AddCircleFilled(place, theme.px(kBead - 1), colours.active);
  if (!value.empty()) {
    const FontScope font(theme, Face::Mono, TextSize::Small);
    const std::string text = fmt::format("{} = {}", sum.name, value);
    const float pad = theme.px(kPad), wide = textWidth(text), line = ImGui::GetTextLineHeight();
    const FontScope small(theme, Face::Sans, TextSize::Small);
    const float threadWide = textWidth(thread), threadLine = ImGui::GetTextLineHeight();
    const ImVec2 size{std::max(wide, threadWide) + 2 * pad, line + threadLine + pad};
    const float left = std::clamp(place.x - size.x / 2, min.x, std::max(min.x, max.x - size.x));
    // A strip has its rows of values above.
    const bool below = model.isStrip();
    const float top = below ? place.y + theme.px(kStalk) : std::max(place.y - theme.px(kStalk) - size.y, min.y);
    ImVec2 low{left, top}, stalk{place.x, below ? top : top + size.y};
    if (!below && left + size.x > max.x - covered.x && top < min.y + covered.y) {  // put it to the left of the place
      low = {std::max(min.x, place.x - theme.px(kStalk) - size.x), std::max(min.y, place.y - size.y / 2)};
      stalk = {low.x + size.x, place.y};
    }
    const ImVec2 high{low.x + size.x, low.y + size.y};
    list->AddLine(place, stalk, colours.active, theme.px(1.5F));
    list->AddRectFilled(low, high, Theme::mixed(colours.panel, colours.active, 0.14F), theme.px(4));
    list->AddRect(low, high, colours.active, theme.px(4), theme.px(1.5F));
    const float middle = (low.x + high.x) / 2;
    textAt(list, {middle - threadWide / 2, low.y + pad / 2}, colours.textDim, thread);
    const FontScope mono(theme, Face::Mono, TextSize::Small);
    textAt(list, {middle - wide / 2, low.y + pad / 2 + threadLine}, colours.activeText, text);
  }
  list->PopClipRect();
}

}  // namespace haloscope::ui
