#include "ui/window/PrecisionPicker.h"

#include <fmt/format.h>

#include <algorithm>

#include "actions/Choices.h"
#include "language/Text.h"
#include "ui/widgets/Shortcuts.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

namespace {

constexpr float kPickerGap = 8;  // between the name and the box, at scale 1

}  // namespace

float PrecisionPicker::boxWidth() const {
  const FontScope font(theme_, Face::Mono, TextSize::Body);
  float text = 0;
  for (const ValueType type : file_.precision->types) { text = std::max(text, textWidth(realTypeName(type))); }
  return text + 4 * ImGui::GetStyle().FramePadding.x;
}

float PrecisionPicker::width() const {
  if (!file_.precision) { return 0; }
  return frameLabelWidth(theme_, file_.precision->macro, Face::Mono) + theme_.px(kPickerGap) + boxWidth();
}

void PrecisionPicker::draw(AppState& state) const {
  const Precision& precision = *file_.precision;
  const std::int64_t chosen = chosenValue(file_, state.choice, precision.macro);
  ImGui::BeginGroup();
  frameLabel(theme_, precision.macro, Face::Mono);
  ImGui::SameLine(0, theme_.px(kPickerGap));
  const FontScope font(theme_, Face::Mono, TextSize::Body);
  ImGui::SetNextItemWidth(boxWidth());
  if (ImGui::BeginCombo("##precision", realTypeName(chosen).c_str(), ImGuiComboFlags_NoArrowButton)) {
    for (const ValueType type : precision.types) {
      const std::int64_t value = Precision::valueOf(type);
      if (ImGui::Selectable(realTypeName(type).c_str(), value == chosen)) {
        state.choice = withValue(file_, state.choice, precision.macro, value);
      }
      if (value == chosen) { ImGui::SetItemDefaultFocus(); }
    }
    ImGui::EndCombo();
  } else if (ImGui::BeginItemTooltip()) {
    label(theme_, theme_.colours().text, tr("Floating-point type of the kernel"), Face::Sans, TextSize::Body);
    label(theme_, theme_.colours().textDim,
          trf("{} is {}; the next one: {}", precision.macro, precision.typeNames(), keyText(chooseNextPrecision)));
    ImGui::EndTooltip();
  }
  ImGui::EndGroup();
}

}  // namespace haloscope::ui
