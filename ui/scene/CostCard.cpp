#include "ui/scene/CostCard.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>

#include "language/Text.h"
#include "program/NumberText.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

namespace {

using figures::LaunchCosts;

constexpr float kWidth = 176, kTrack = 10, kGap = 8, kDot = 4;  // at scale 1

std::string shortNumber(double value) { return fmt::format("{:.{}f}", value, value < 10 ? 2 : 1); }

/// A number of the card, and where it lies on its scale, 0…1.
struct Quantity {
  const char* name;
  const char* what;  ///< in a sentence
  std::optional<double> (*of)(const LaunchCosts& costs);
  std::string (*text)(double value);
  float (*place)(double value);
  const char* scale;
};

float onLogarithm(double value, double least, double most) {
  return static_cast<float>(std::log(std::max(value, least) / least) / std::log(most / least));
}

constexpr double kLeastLoads = 1, kMostLoads = 128, kLeastOpPerByte = 0.1, kMostOpPerByte = 100;
constexpr double kMostShared = 48 * 1024;

constexpr std::array kQuantities = {
    Quantity{trMark("halo"), trMark("Of the input points that an interior block loads, those outside its output tile."),
             [](const LaunchCosts& costs) { return costs.halo; }, [](double value) { return percentText(value); },
             [](double value) { return static_cast<float>(value); }, trMark("0 to 100 %")},
    Quantity{trMark("loads per output"),
             trMark("Elements loaded from global memory for each one stored, over the whole grid."),
             [](const LaunchCosts& costs) {
               return costs.loadsPerOutput > 0 ? std::optional(costs.loadsPerOutput) : std::nullopt;
             },
             shortNumber, [](double value) { return onLogarithm(value, kLeastLoads, kMostLoads); },
             trMark("1 to 128, logarithmic")},
    Quantity{
        trMark("OP/B"),
        trMark("Floating-point operations for each byte loaded from global memory, in an interior block."),
        [](const LaunchCosts& costs) { return costs.opPerByte > 0 ? std::optional(costs.opPerByte) : std::nullopt; },
        shortNumber, [](double value) { return onLogarithm(value, kLeastOpPerByte, kMostOpPerByte); },
        trMark("0.1 to 100, logarithmic")},
    Quantity{trMark("shared"), trMark("Shared memory of a block."),
             [](const LaunchCosts& costs) { return std::optional(static_cast<double>(costs.sharedBytes)); },
             [](double value) { return byteText(static_cast<std::uint64_t>(value)); },
             [](double value) { return static_cast<float>(value / kMostShared); },
             trMark("0 to 48 KiB: what a block has without asking for more")}};

/// What distinguishes one launch from the other: "IN_TILE_DIM 8 → 16", or the variants.
std::string changeBetween(const LaunchCosts& before, const LaunchCosts& now) {
  if (before.id != now.id) { return fmt::format("{} → {}", before.id, now.id); }
  std::string text;
  for (const auto& [name, value] : now.bindings) {
    const auto old = before.bindings.find(name);
    if (old == before.bindings.end() || old->second == value) { continue; }
    text += fmt::format("{}{} {} → {}", text.empty() ? "" : ", ", name, old->second, value);
  }
  return text;
}

}  // namespace

float CostCard::width() const { return costs_.now() ? theme_.px(kWidth) : 0; }

float CostCard::height() const {
  const FontScope font(theme_, Face::SansStrong, TextSize::Body);
  return kQuantities.size() * (ImGui::GetTextLineHeight() + theme_.px(kTrack + kGap));
}

void CostCard::draw(ImVec2 at) const {
  const Palette& colours = theme_.colours();
  const std::optional<LaunchCosts>& now = costs_.now();
  const std::optional<LaunchCosts>& before = costs_.before();
  if (!now) { return; }
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float right = at.x + width();
  const float dot = theme_.px(kDot);
  for (const Quantity& quantity : kQuantities) {
    const std::optional<double> value = quantity.of(*now);
    const std::optional<double> old = before ? quantity.of(*before) : std::nullopt;
    const std::string text = value ? quantity.text(*value) : "–";
    const std::string oldText = old && quantity.text(*old) != text ? quantity.text(*old) : std::string();
    float line = 0, used = 0;
    {
      const FontScope font(theme_, Face::SansStrong, TextSize::Body);
      line = ImGui::GetTextLineHeight();
      used = textWidth(text);
      textAt(list, {right - used, at.y}, colours.text, text);
    }
    const FontScope font(theme_, Face::Sans, TextSize::Small);
    const float small = at.y + line - ImGui::GetTextLineHeight() - theme_.px(1);
    if (!oldText.empty()) {
      const std::string arrow = oldText + " →";
      used += textWidth(arrow) + theme_.px(5);
      textAt(list, {right - used, small}, colours.textDim, arrow);
    }
    clippedTextAt(list, {at.x, small}, right - at.x - used - theme_.px(5), colours.textDim, tr(quantity.name));

    const float track = std::round(at.y + line + theme_.px(kTrack) / 2);
    const auto x = [&](double number) {
      return std::round(at.x + dot + std::clamp(quantity.place(number), 0.0F, 1.0F) * (right - at.x - 2 * dot));
    };
    list->AddLine({at.x, track}, {right, track}, theme_.faded(colours.textDim, 0.35F), theme_.px(2));
    if (value && !oldText.empty()) {
      list->AddLine({x(*old), track}, {x(*value), track}, theme_.faded(colours.series, 0.6F), theme_.px(2));
      list->AddCircleFilled({x(*old), track}, dot, colours.panel);
      list->AddCircle({x(*old), track}, dot, colours.textDim, 0, theme_.px(1.5F));
    }
    if (value) { list->AddCircleFilled({x(*value), track}, dot, colours.series); }

    ImGui::SetCursorScreenPos(at);
    const float height = line + theme_.px(kTrack);
    ImGui::InvisibleButton(quantity.name, {right - at.x, height}, ImGuiButtonFlags_EnableNav);
    if (lastItemAsked()) {
      const Tooltip tip(theme_);
      tip.title(fmt::format("{}: {}", tr(quantity.name), text), 0, Face::SansStrong);
      tip.note(tr(quantity.what), colours.text);
      if (!oldText.empty()) { tip.row(changeBetween(*before, *now), fmt::format("{} → {}", oldText, text)); }
      tip.row(tr("scale"), tr(quantity.scale));
      tip.note(tr("Counted while it was executed, before any cache."));
    }
    at.y += height + theme_.px(kGap);
  }
}

}  // namespace haloscope::ui
