#include "ui/widgets/TooltipPlace.h"

#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>

namespace haloscope::ui {

namespace {

constexpr float kLargeItem = 72, kTooltipGap = 6, kBesidePointer = 22;  // at scale 1
constexpr float kFirstWidth = 280, kFirstHeight = 90;                   // of a tooltip that was not drawn yet; likewise
constexpr float kRowOfPanel = 0.45F;                                    // an item with this share of the width is a row

/// The tooltip that ImGui begins next; null before the first one.
const ImGuiWindow* nextTooltip() {
  return ImGui::FindWindowByName(
      fmt::format("##Tooltip_{:02}", ImGui::GetCurrentContext()->TooltipOverrideCount).c_str());
}

using Places = std::array<ImVec2, 4>;

Places besidePointer(ImVec2 at, ImVec2 size, float gap) {
  const float right = at.x + gap, left = at.x - gap - size.x, below = at.y + gap, above = at.y - gap - size.y;
  return {ImVec2{right, below}, ImVec2{left, below}, ImVec2{right, above}, ImVec2{left, above}};
}

/// Below or above the item, then at its sides. Of a row of a panel, first at the panel's sides.
Places besideItem(const ImRect& item, const ImRect& panel, const ImRect& room, ImVec2 size, float gap) {
  const bool row = item.GetWidth() >= kRowOfPanel * panel.GetWidth();
  const ImRect sides = row ? panel : item;
  const float x = std::clamp(item.Min.x, room.Min.x, std::max(room.Min.x, room.Max.x - size.x));
  const float y = std::clamp(item.Min.y, room.Min.y, std::max(room.Min.y, room.Max.y - size.y));
  const ImVec2 below{x, item.Max.y + gap}, above{x, item.Min.y - gap - size.y};
  const ImVec2 right{sides.Max.x + gap, y}, left{sides.Min.x - gap - size.x, y};
  return row ? Places{right, left, below, above} : Places{below, above, right, left};
}

bool isKeyUsed() {
  for (int key = ImGuiKey_NamedKey_BEGIN; key < ImGuiKey_GamepadStart; ++key) {
    const bool modifier = key >= ImGuiKey_LeftCtrl && key <= ImGuiKey_RightSuper;
    if (!modifier && ImGui::IsKeyPressed(static_cast<ImGuiKey>(key))) { return true; }
  }
  return false;
}

}  // namespace

void placeTooltip(const Theme& theme) {
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  const ImGuiWindow* before = nextTooltip();
  // More than one part of the window may write into the tooltip of a frame.
  if (before != nullptr && before->LastFrameActive == g.FrameCount) { return; }
  const ImVec2 size =
      before != nullptr && before->Size.x > 0 ? before->Size : ImVec2{theme.px(kFirstWidth), theme.px(kFirstHeight)};
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  const ImRect room(viewport->Pos, {viewport->Pos.x + viewport->Size.x, viewport->Pos.y + viewport->Size.y});
  const ImRect item = g.LastItemData.Rect;
  const bool large = std::min(item.GetWidth(), item.GetHeight()) > theme.px(kLargeItem);
  if (large && !ImGui::IsMousePosValid()) { return; }
  const ImRect panel = g.CurrentWindow->RootWindow->Rect();
  const Places places = large ? besidePointer(g.IO.MousePos, size, theme.px(kBesidePointer))
                              : besideItem(item, panel, room, size, theme.px(kTooltipGap));
  for (const ImVec2& at : places) {
    if (!room.Contains(ImRect(at, {at.x + size.x, at.y + size.y}))) { continue; }
    ImGui::SetNextWindowPos(at);
    return;
  }
}

void RestingTooltips::update() {
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  const ImVec2 moved = g.IO.MouseDelta;
  const bool refocused = g.IO.NavVisible && g.NavId != focus_;
  focus_ = g.NavId;
  if (moved.x != 0 || moved.y != 0 || refocused) {
    resting_ = false;
  } else if (isKeyUsed()) {
    resting_ = true;
  }
  if (!resting_) { return; }
  for (ImGuiWindow* window : g.Windows) {
    if ((window->Flags & ImGuiWindowFlags_Tooltip) != 0 && window->Active) { window->Hidden = true; }
  }
}

}  // namespace haloscope::ui
