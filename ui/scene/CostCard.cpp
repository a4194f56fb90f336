#include "ui/scene/CostCard.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>

#include "actions/Choices.h"
#include "language/Text.h"
#include "measuring/PredictedTime.h"
#include "program/NumberText.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

namespace {

using figures::LaunchCosts;

constexpr std::array kColumns = {80.0F, 102.0F, 112.0F};           // at scale 1
constexpr float kBetween = 12, kTrack = 9, kGap = 8, kDot = 3.5F;  // likewise
constexpr double kPercent = 100;

std::string shortNumber(double value) { return fmt::format("{:.{}f}", value, value < 10 ? 2 : 1); }

/// A number of the card, and where it lies on its scale, 0…1.
struct Quantity {
  const char* name;
  const char* what;  ///< in a sentence
  const char* how;   ///< it was obtained
  bool ofInterior;   ///< of an interior block, which may be that of a larger grid
  std::optional<double> (*of)(const Costs&);
  std::string (*text)(const Costs&);  ///< where `of` has a value
  float (*place)(double value);
  const char* scale;
};

float onLogarithm(double value, double least, double most) {
  return static_cast<float>(std::log(std::max(value, least) / least) / std::log(most / least));
}

constexpr double kMostLoads = 1000;
constexpr double kLeastShared = 64, kMostShared = 256 * 1024;
constexpr double kMostBlocks = 32;
constexpr double kShortest = 1e-6, kLongest = 1000;  // milliseconds

std::string blocksText(const Costs& costs) {
  const BlocksHeld& held = *costs.blocks;
  return (held.registers > 0 ? "" : "≤ ") + std::to_string(held.occupancy.residentBlocks);
}

std::string timeOf(const Costs& costs) {
  const LaunchTime& time = *costs.time;
  return time.measured() ? timeText(time.medianMs) : timeRangeText(time.lowMs, time.highMs);
}

constexpr std::array kQuantities = {
    Quantity{trMark("halo"), trMark("Of the input points that an interior block loads, those outside its output tile."),
             trMark("Counted while such a block was executed."), true,
             [](const Costs& costs) { return costs.launch.halo; },
             [](const Costs& costs) { return percentText(*costs.launch.halo); },
             [](double value) { return static_cast<float>(value); }, trMark("0 to 100 %")},
    Quantity{trMark("loads per output"),
             trMark("Elements loaded from global memory for each one stored, by an interior block."),
             trMark("Counted while such a block was executed, before any cache."), true,
             [](const Costs& costs) {
               return costs.launch.loadsPerOutput > 0 ? std::optional(costs.launch.loadsPerOutput) : std::nullopt;
             },
             [](const Costs& costs) { return shortNumber(costs.launch.loadsPerOutput); },
             [](double value) { return onLogarithm(value, 1, kMostLoads); }, trMark("1 to 1,000, logarithmic")},
    Quantity{trMark("OP/B"),
             trMark("Floating-point operations for each byte loaded from global memory, in an interior block."),
             trMark("Counted while such a block was executed, before any cache."), true,
             [](const Costs& costs) {
               return costs.launch.opPerByte > 0 ? std::optional(costs.launch.opPerByte) : std::nullopt;
             },
             [](const Costs& costs) { return shortNumber(costs.launch.opPerByte); }, figures::opPerBytePlace,
             trMark("0.1 to 100, logarithmic")},
    Quantity{trMark("shared"), trMark("Shared memory of a block."),
             trMark("Declared by the kernel, plus the dynamic part given at launch."), false,
             [](const Costs& costs) { return std::optional(static_cast<double>(costs.launch.sharedBytes)); },
             [](const Costs& costs) { return byteText(static_cast<std::uint64_t>(costs.launch.sharedBytes)); },
             [](double value) { return onLogarithm(value, kLeastShared, kMostShared); },
             trMark("64 B to 256 KiB, logarithmic")},
    Quantity{trMark("blocks per SM"), trMark("Blocks of this launch that a multiprocessor (SM) holds at once."),
             trMark("By the threads, the shared memory and the registers that a block takes, and the GPU's limits."),
             false,
             [](const Costs& costs) {
               return costs.blocks ? std::optional(static_cast<double>(costs.blocks->occupancy.residentBlocks))
                                   : std::nullopt;
             },
             blocksText, [](double value) { return static_cast<float>(value / kMostBlocks); }, trMark("0 to 32")},
    Quantity{trMark("time"), trMark("Time of one launch."), "", false,
             [](const Costs& costs) {
               if (!costs.time) { return std::optional<double>(); }
               return std::optional(costs.time->measured() ? costs.time->medianMs : costs.time->highMs);
             },
             timeOf, [](double value) { return onLogarithm(value, kShortest, kLongest); },
             trMark("1 ns to 1 s, logarithmic")},
};
constexpr std::size_t kBlocks = 4, kTime = 5;  ///< of kQuantities
static_assert(kQuantities.size() % kColumns.size() == 0);

/// Numbers of two GPUs, or of a formula and a measurement, are not to be compared; nor are times at sizes that are not
/// those on screen, which no change there explains.
bool comparable(std::size_t quantity, const Costs& now, const Costs& before) {
  if (quantity == kBlocks) { return now.blocks && before.blocks && now.blocks->gpu == before.blocks->gpu; }
  if (quantity != kTime) { return true; }
  if (!now.time || !before.time) { return false; }
  const LaunchTime &time = *now.time, &old = *before.time;
  const bool onScreen = !time.otherSizes && !old.otherSizes;
  return time.gpu == old.gpu && time.measured() == old.measured() && (onScreen || time.sizes == old.sizes);
}

/// "N = 66": the sizes of the grid that the interior block is of, if it is not the grid on screen.
std::string elsewhere(const KernelFile& file, const LaunchCosts& costs) {
  Bindings other = costs.interior;
  std::erase_if(other, [&](const auto& size) {
    const auto here = costs.bindings.find(size.first);
    return here != costs.bindings.end() && here->second == size.second;
  });
  return file.sizesText(other);
}

float rowHeight(const Theme& theme) {
  return theme.textPixels(TextSize::Small) + theme.textPixels(TextSize::Heading) + theme.px(kTrack + kGap + 4);
}

}  // namespace

std::string CostCard::change() const {
  const LaunchCosts &now = state_.costs.now()->launch, &before = state_.costs.before()->launch;
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

CostCard::CostCard(AppState& state, const Theme& theme, float most) : state_(state), theme_(theme) {
  if (!state.costs.now()) { return; }
  constexpr std::size_t kRows = kQuantities.size() / kColumns.size();
  rows_ = std::min(kRows, static_cast<std::size_t>(std::max(0.0F, most / rowHeight(theme))));
}

float CostCard::width() const {
  if (rows_ == 0) { return 0; }
  return theme_.px(std::accumulate(kColumns.begin(), kColumns.end(), 0.0F) + kBetween * (kColumns.size() - 1));
}

float CostCard::height() const { return static_cast<float>(rows_) * rowHeight(theme_); }

void CostCard::draw(ImVec2 at, const std::string& keys) const {
  const float left = at.x;
  for (std::size_t i = 0; i < rows_ * kColumns.size(); ++i) {
    const float width = theme_.px(kColumns[i % kColumns.size()]);
    drawQuantity(i, at, width, keys);
    at.x += width + theme_.px(kBetween);
    if ((i + 1) % kColumns.size() == 0) { at = {left, at.y + rowHeight(theme_)}; }
  }
}

std::string CostCard::nameOf(std::size_t quantity) const {
  const std::optional<LaunchTime>& time = state_.costs.now()->time;
  if (quantity != kTime || !time) { return tr(kQuantities[quantity].name); }
  if (!time->measured()) { return tr("time, predicted"); }
  return time->otherSizes ? trf("measured, {}", time->sizes) : tr("time, measured");
}

void CostCard::drawQuantity(std::size_t index, ImVec2 at, float width, const std::string& keys) const {
  const Quantity& quantity = kQuantities[index];
  const Costs& now = *state_.costs.now();
  const Costs* before = state_.costs.before() ? &*state_.costs.before() : nullptr;
  const Palette& colours = theme_.colours();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const std::optional<double> value = quantity.of(now);
  const bool hasOld = before != nullptr && quantity.of(*before) && comparable(index, now, *before);
  const std::string text = value ? quantity.text(now) : "–";
  std::string old = hasOld ? quantity.text(*before) : std::string();
  if (old == text) { old.clear(); }

  ImGui::SetCursorScreenPos(at);
  if (ImGui::InvisibleButton(quantity.name, {width, rowHeight(theme_) - theme_.px(kGap)}, ImGuiButtonFlags_EnableNav)) {
    state_.view.tabs.toggle(Tab::Tuning, Tab::Tuning);
  }
  const bool asked = lastItemAsked();
  const float small = ImGui::GetItemRectMin().y;
  float line = small + theme_.textPixels(TextSize::Small) + theme_.px(1);
  {
    const FontScope font(theme_, Face::Sans, TextSize::Small);
    clippedTextAt(list, {at.x, small}, width, asked ? colours.text : colours.textDim, nameOf(index));
  }
  float used = 0;
  {
    // A range is longer than a number.
    const FontScope heading(theme_, Face::SansStrong, TextSize::Heading);
    const bool fits = textWidth(text) <= width;
    const FontScope font(theme_, Face::SansStrong, fits ? TextSize::Heading : TextSize::Body);
    used = textWidth(text);
    clippedTextAt(list, {at.x, line}, width, value ? colours.text : colours.textDim, text);
    line += theme_.textPixels(TextSize::Heading);
  }
  const FontScope font(theme_, Face::Sans, TextSize::Small);
  const std::string aside = old.empty() && index == kTime ? spreadText() : old;
  if (!aside.empty() && used + theme_.px(6) + textWidth(aside) <= width) {
    textAt(list, {at.x + width - textWidth(aside), line - ImGui::GetTextLineHeight() - theme_.px(1)}, colours.textDim,
           aside);
  }
  drawTrack(index, {at.x, std::round(line + theme_.px(3) + theme_.px(kTrack) / 2)}, width,
            old.empty() ? nullptr : before);
  if (asked) { drawTooltip(index, text, old, keys); }
}

void CostCard::drawTrack(std::size_t index, ImVec2 at, float width, const Costs* before) const {
  const Quantity& quantity = kQuantities[index];
  const Costs& now = *state_.costs.now();
  const Palette& colours = theme_.colours();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float dot = theme_.px(kDot), right = at.x + width;
  const auto x = [&](double number) {
    return std::round(at.x + dot + std::clamp(quantity.place(number), 0.0F, 1.0F) * (width - 2 * dot));
  };
  // No round knob: nothing is to be dragged here.
  const auto tick = [&](double number, float half, float thick, ImU32 colour) {
    list->AddLine({x(number), at.y - half}, {x(number), at.y + half}, colour, thick);
  };
  list->AddLine(at, {right, at.y}, theme_.faded(colours.textDim, 0.35F), theme_.px(1));
  for (const float end : {at.x, right}) {
    list->AddLine({end, at.y - dot / 2}, {end, at.y + dot / 2}, theme_.faded(colours.textDim, 0.5F), theme_.px(1));
  }
  const std::optional<double> value = quantity.of(now);
  if (!value) { return; }
  if (before != nullptr) {
    list->AddLine({x(*quantity.of(*before)), at.y}, {x(*value), at.y}, colours.series, theme_.px(2));
    tick(*quantity.of(*before), dot, theme_.px(1.5F), colours.textDim);
  }
  if (index == kTime && now.time->lowMs < now.time->highMs) {
    const float half = theme_.px(2.5F);
    const float low = x(now.time->lowMs), high = std::max(x(now.time->highMs), low + theme_.px(3));
    list->AddRectFilled({low, at.y - half}, {high, at.y + half}, colours.series, theme_.px(1));
    if (!now.time->measured()) { return; }
  }
  tick(*value, dot + theme_.px(1), theme_.px(3), colours.series);
}

std::string CostCard::spreadText() const {
  const std::optional<LaunchTime>& time = state_.costs.now()->time;
  if (!time || !time->measured()) { return {}; }
  return fmt::format("± {:.1f} %", kPercent * (time->highMs - time->lowMs) / (2 * time->medianMs));
}

void CostCard::drawTooltip(std::size_t index, const std::string& text, const std::string& old,
                           const std::string& keys) const {
  const Quantity& quantity = kQuantities[index];
  const Costs& now = *state_.costs.now();
  const Tooltip tip(theme_);
  tip.title(fmt::format("{}: {}", nameOf(index), text), 0, Face::SansStrong);
  if (quantity.ofInterior && now.launch.opPerByte == 0) {
    tip.note(tr("Counted while the whole grid was executed, which has no interior block."));
  } else {
    tip.note(tr(quantity.what), theme_.colours().text);
    if (*quantity.how != '\0') { tip.note(tr(quantity.how)); }
  }
  const std::string sizes = quantity.ofInterior ? elsewhere(state_.experiment->file, now.launch) : std::string();
  if (!sizes.empty()) { tip.note(trf("This grid has no interior block: counted in a grid with {}.", sizes)); }
  if (index == kBlocks && now.blocks) {
    const BlocksHeld& held = *now.blocks;
    tip.row(tr("GPU"), held.gpu);
    tip.row(tr("limited by"), tr(held.occupancy.limitedBy));
    tip.row(tr("occupancy"), percentText(held.occupancy.share));
    tip.row(tr("registers of a thread"), held.registers > 0 ? std::to_string(held.registers) : tr("not known"));
    if (held.registers == 0) { tip.note(trf("Registers may allow fewer: {}", held.missing)); }
  }
  if (index == kTime && now.time) {
    const LaunchTime& time = *now.time;
    tip.row(tr("GPU"), time.gpu);
    tip.row(tr("sizes"), time.sizes);
    if (time.measured()) {
      tip.row(tr("median"), timeText(time.medianMs));
      tip.row("p10 … p90", fmt::format("{} … {}", timeText(time.lowMs), timeText(time.highMs)));
      tip.row(tr("launches"), grouped(static_cast<std::uint64_t>(time.samples)));
      if (!time.disturbance.empty()) { tip.note(trf("Disturbed: {}.", time.disturbance), theme_.colours().fault); }
    } else {
      tip.row(tr("each array once"), timeText(time.lowMs));
      tip.row(tr("no cache"), timeText(time.highMs));
      tip.note(tr("Predicted by formula, not measured"), theme_.colours().text);
      tip.note(measuring::assumptions());
    }
  }
  if (index == kTime && !now.timeMissing.empty()) { tip.note(now.timeMissing, theme_.colours().text); }
  if (!old.empty()) { tip.row(change(), fmt::format("{} → {}", old, text)); }
  tip.row(tr("scale"), tr(quantity.scale));
  tip.note(trf("click, or {}: the tuning map of tile and block sizes", keys));
}

}  // namespace haloscope::ui
