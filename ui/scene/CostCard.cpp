#include "ui/scene/CostCard.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <string>

#include "actions/Choices.h"
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
  const char* how;   ///< it was obtained
  bool ofInterior;   ///< of a block, perhaps of a larger grid
  std::optional<double> (*of)(const LaunchCosts& costs);
  std::string (*text)(double value);
  float (*place)(double value);
  const char* scale;
};

float onLogarithm(double value, double least, double most) {
  return static_cast<float>(std::log(std::max(value, least) / least) / std::log(most / least));
}

constexpr double kMostLoads = 1000;
constexpr double kLeastShared = 64, kMostShared = 256 * 1024;

constexpr std::array kQuantities = {
    Quantity{trMark("halo"), trMark("Of the input points that an interior block loads, those outside its output tile."),
             trMark("Counted while such a block was executed."), true,
             [](const LaunchCosts& costs) { return costs.halo; }, [](double value) { return percentText(value); },
             [](double value) { return static_cast<float>(value); }, trMark("0 to 100 %")},
    Quantity{trMark("loads per output"),
             trMark("Elements loaded from global memory for each one stored, by an interior block."),
             trMark("Counted while such a block was executed, before any cache."), true,
             [](const LaunchCosts& costs) {
               return costs.loadsPerOutput > 0 ? std::optional(costs.loadsPerOutput) : std::nullopt;
             },
             shortNumber, [](double value) { return onLogarithm(value, 1, kMostLoads); },
             trMark("1 to 1,000, logarithmic")},
    Quantity{
        trMark("OP/B"),
        trMark("Floating-point operations for each byte loaded from global memory, in an interior block."),
        trMark("Counted while such a block was executed, before any cache."), true,
        [](const LaunchCosts& costs) { return costs.opPerByte > 0 ? std::optional(costs.opPerByte) : std::nullopt; },
        shortNumber, figures::opPerBytePlace, trMark("0.1 to 100, logarithmic")},
    Quantity{trMark("shared"), trMark("Shared memory of a block."),
             trMark("Declared by the kernel, plus the dynamic part given at launch."), false,
             [](const LaunchCosts& costs) { return std::optional(static_cast<double>(costs.sharedBytes)); },
             [](double value) { return byteText(static_cast<std::uint64_t>(value)); },
             [](double value) { return onLogarithm(value, kLeastShared, kMostShared); },
             trMark("64 B to 256 KiB, logarithmic")}};

/// "N = 66": the sizes of the grid that the interior block is of, if it is not the grid on screen.
std::string elsewhere(const LaunchCosts& costs) {
  std::string at;
  for (const auto& [name, value] : costs.interior) {
    const auto here = costs.bindings.find(name);
    if (here != costs.bindings.end() && here->second == value) { continue; }
    at += fmt::format("{}{} = {}", at.empty() ? "" : ", ", name, value);
  }
  return at;
}

float rowHeight(const Theme& theme) {
  const FontScope font(theme, Face::SansStrong, TextSize::Body);
  return ImGui::GetTextLineHeight() + theme.px(kTrack + kGap);
}

}  // namespace

std::string CostCard::change() const {
  const LaunchCosts &now = *state_.costs.now(), &before = *state_.costs.before();
  if (before.id != now.id) {
    return fmt::format("{} → {}", shownName(state_.catalogue, before.id), shownName(state_.catalogue, now.id));
  }
  const KernelFile& file = state_.experiment->file;
  std::string text;
  for (const auto& [name, value] : now.bindings) {
    const auto old = before.bindings.find(name);
    if (old == before.bindings.end() || old->second == value) { continue; }
    text += fmt::format("{}{} {} → {}", text.empty() ? "" : ", ", name, file.valueText(name, old->second),
                        file.valueText(name, value));
  }
  return text.empty() ? tr("before the edit") : text;
}

float CostCard::width() const { return rows_ > 0 ? theme_.px(kWidth) : 0; }

CostCard::CostCard(const AppState& state, const Theme& theme, float most) : state_(state), theme_(theme) {
  if (state.costs.now()) {
    rows_ = std::min(kQuantities.size(), static_cast<std::size_t>(std::max(0.0F, most / rowHeight(theme))));
  }
}

float CostCard::height() const { return static_cast<float>(rows_) * rowHeight(theme_); }

void CostCard::draw(ImVec2 at) const {
  const Palette& colours = theme_.colours();
  const std::optional<LaunchCosts>& now = state_.costs.now();
  const std::optional<LaunchCosts>& before = state_.costs.before();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float right = at.x + width();
  const float dot = theme_.px(kDot);
  for (const Quantity& quantity : std::span(kQuantities).first(rows_)) {
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
    // No round knob: nothing is to be dragged here.
    const auto tick = [&](double number, float half, float width, ImU32 colour) {
      list->AddLine({x(number), track - half}, {x(number), track + half}, colour, width);
    };
    list->AddLine({at.x, track}, {right, track}, theme_.faded(colours.textDim, 0.35F), theme_.px(1));
    for (const float end : {at.x, right}) {
      list->AddLine({end, track - dot / 2}, {end, track + dot / 2}, theme_.faded(colours.textDim, 0.5F), theme_.px(1));
    }
    if (value && !oldText.empty()) {
      list->AddLine({x(*old), track}, {x(*value), track}, colours.series, theme_.px(2));
      tick(*old, dot, theme_.px(1.5F), colours.textDim);
    }
    if (value) { tick(*value, dot + theme_.px(1), theme_.px(3), colours.series); }

    ImGui::SetCursorScreenPos(at);
    const float height = line + theme_.px(kTrack);
    ImGui::InvisibleButton(quantity.name, {right - at.x, height}, ImGuiButtonFlags_EnableNav);
    if (lastItemAsked()) {
      const Tooltip tip(theme_);
      tip.title(fmt::format("{}: {}", tr(quantity.name), text), 0, Face::SansStrong);
      if (quantity.ofInterior && now->opPerByte == 0) {
        tip.note(tr("Counted while the whole grid was executed, which has no interior block."));
      } else {
        tip.note(tr(quantity.what), colours.text);
        tip.note(tr(quantity.how));
      }
      const std::string sizes = quantity.ofInterior ? elsewhere(*now) : std::string();
      if (!sizes.empty()) { tip.note(trf("This grid has no interior block: counted in a grid with {}.", sizes)); }
      if (!oldText.empty()) { tip.row(change(), fmt::format("{} → {}", oldText, text)); }
      tip.row(tr("scale"), tr(quantity.scale));
    }
    at.y += height + theme_.px(kGap);
  }
}

}  // namespace haloscope::ui
