#include "ui/window/Knob.h"

#include <fmt/format.h>
#include <imgui.h>

#include "actions/Choices.h"
#include "language/Text.h"
#include "ui/widgets/Slider.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

namespace {

constexpr float kKnobGap = 8;  // between the name, the box, the slider and the range, at scale 1

}  // namespace

std::vector<Knob> knobsOf(const KernelFile& file, const experiment::Choice& choice) {
  std::vector<Knob> knobs;
  for (const Tunable& tunable : file.tunables) {
    const ValueRange range = launchableRange(file, choice, tunable);
    knobs.push_back({tunable.name, tunable.meaning, tunable.minimum, tunable.maximum, range.least, range.most});
  }
  for (const SizeParameter& size : file.sizes) {
    knobs.push_back(
        {size.name, size.meaning, size.minimum, size.maximum, size.minimum, comfortableMaximum(file, size)});
  }
  return knobs;
}

std::string Knob::rangeText() const { return fmt::format("{} … {}", sliderMinimum, sliderMaximum); }

float Knob::boxWidth(const Theme& theme) const {
  const FontScope font(theme, Face::Mono, TextSize::Body);
  return textWidth(std::to_string(maximum)) + 2 * ImGui::GetStyle().FramePadding.x;
}

float Knob::width(const Theme& theme, const Room& room) const {
  float width = frameLabelWidth(theme, name, Face::Mono) + theme.px(kKnobGap) + boxWidth(theme);
  if (room.slider > 0) { width += theme.px(kKnobGap + room.slider); }
  if (room.range) { width += theme.px(kKnobGap) + frameLabelWidth(theme, rangeText(), Face::Sans); }
  return width;
}

void Knob::tooltip(const Theme& theme, const std::string& use) const {
  if (!ImGui::BeginItemTooltip()) { return; }
  label(theme, theme.colours().text, tr(meaning), Face::Sans, TextSize::Body);
  label(theme, theme.colours().textDim, use);
  ImGui::EndTooltip();
}

bool Knob::valueBox(const Theme& theme, std::int64_t& value) const {
  const FontScope font(theme, Face::Mono, TextSize::Body);
  ImGui::SetNextItemWidth(boxWidth(theme));
  // Taken over with Enter: half a number is not a size to launch a kernel with.
  return ImGui::InputScalar(("##" + name + " value").c_str(), ImGuiDataType_S64, &value, nullptr, nullptr, "%lld",
                            ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
}

void Knob::draw(AppState& state, const Theme& theme, const KernelFile& file, const Room& room) const {
  ImGui::BeginGroup();
  frameLabel(theme, name, Face::Mono);
  ImGui::SameLine(0, theme.px(kKnobGap));
  std::int64_t value = chosenValue(file, state.choice, name);
  const bool typed = valueBox(theme, value);
  if (typed) { sayIfOutside(state, name, value, minimum, maximum); }
  bool changed = typed;
  tooltip(theme, trf("type a number from {} to {}, then Enter", minimum, maximum));
  if (room.slider > 0) {
    ImGui::SameLine(0, theme.px(kKnobGap));
    const std::string id = "##" + name;
    changed |= Slider{id.c_str(), sliderMinimum, sliderMaximum, theme.px(room.slider)}.draw(theme, value);
    tooltip(theme, trf("drag: {}", rangeText()));
  }
  if (changed) { state.choice = withValue(file, state.choice, name, value); }
  if (room.range) {
    ImGui::SameLine(0, theme.px(kKnobGap));
    frameLabel(theme, rangeText(), Face::Sans);
  }
  ImGui::EndGroup();
}

}  // namespace haloscope::ui
