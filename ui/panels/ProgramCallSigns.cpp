#include "ui/panels/ProgramCallSigns.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "actions/ProgramSteps.h"
#include "language/Text.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

namespace {

using running::ProgramEvent;
using CallKind = ProgramColumn::Kind;

constexpr std::array kKinds = {CallKind::Allocate, CallKind::Free,        CallKind::Copy,   CallKind::Fill,
                               CallKind::Launch,   CallKind::Synchronize, CallKind::Record, CallKind::Print};

const char* word(CallKind kind) {
  switch (kind) {
    case CallKind::Allocate:
      return tr("allocate");
    case CallKind::Free:
      return tr("free");
    case CallKind::Copy:
      return tr("copy");
    case CallKind::Fill:
      return tr("fill");
    case CallKind::Launch:
      return tr("launch");
    case CallKind::Synchronize:
      return tr("wait");
    case CallKind::Record:
      return tr("event");
    case CallKind::Print:
      return tr("print");
  }
  return "";
}

}  // namespace

CopyDirection copyDirection(const ProgramEvent& event) {
  if (event.source && event.destination) { return CopyDirection::Within; }
  return event.destination ? CopyDirection::FromHost : event.source ? CopyDirection::ToHost : CopyDirection::None;
}

void drawCallSign(ImDrawList* list, const Theme& theme, CallKind kind, CopyDirection direction, ImVec2 centre,
                  float size, ImU32 colour) {
  const float h = size / 2;
  const float thick = std::max(1.0F, theme.px(1.5F));
  const auto line = [&](float x0, float y0, float x1, float y1) {
    list->AddLine({centre.x + x0 * h, centre.y + y0 * h}, {centre.x + x1 * h, centre.y + y1 * h}, colour, thick);
  };
  switch (kind) {
    case CallKind::Allocate:
      line(-0.8F, 0, 0.8F, 0);
      line(0, -0.8F, 0, 0.8F);
      return;
    case CallKind::Free:
      line(-0.6F, -0.6F, 0.6F, 0.6F);
      line(-0.6F, 0.6F, 0.6F, -0.6F);
      return;
    case CallKind::Copy:
      line(0, -0.9F, 0, 0.9F);
      if (direction != CopyDirection::FromHost) {
        line(-0.55F, -0.3F, 0, -0.9F);
        line(0.55F, -0.3F, 0, -0.9F);
      }
      if (direction != CopyDirection::ToHost) {
        line(-0.55F, 0.3F, 0, 0.9F);
        line(0.55F, 0.3F, 0, 0.9F);
      }
      return;
    case CallKind::Fill:
      list->AddRect({centre.x - 0.6F * h, centre.y - 0.7F * h}, {centre.x + 0.6F * h, centre.y + 0.7F * h}, colour, h,
                    thick);
      return;
    case CallKind::Launch:
      arrowAt(list, {centre.x, centre.y}, h * 0.75F, 1, colour);
      return;
    case CallKind::Synchronize:
      line(-0.35F, -0.8F, -0.35F, 0.8F);
      line(0.35F, -0.8F, 0.35F, 0.8F);
      return;
    case CallKind::Record:
      list->AddCircle(centre, h * 0.7F, colour, 0, thick);
      line(0, 0, 0, -0.45F);
      line(0, 0, 0.35F, 0);
      return;
    case CallKind::Print:
      line(-0.7F, -0.5F, 0.7F, -0.5F);
      line(-0.7F, 0, 0.7F, 0);
      line(-0.7F, 0.5F, 0.2F, 0.5F);
      return;
  }
}

void drawProgramLegend(const AppState& state, const Theme& theme) {
  const FontScope font(theme, Face::Sans, TextSize::Small);
  const Palette& colours = theme.colours();
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float line = ImGui::GetTextLineHeight() + theme.px(2);
  const float sign = std::round(ImGui::GetFontSize() * 0.62F);
  ImDrawList* list = ImGui::GetWindowDrawList();
  ImVec2 at = origin;
  const auto entry = [&](const char* text, const auto& draw) {
    const float wide = sign + theme.px(4) + textWidth(text);
    if (at.x > origin.x && at.x + wide > origin.x + width) { at = {origin.x, at.y + line}; }
    draw(ImVec2{std::round(at.x), std::round(at.y + (ImGui::GetTextLineHeight() - sign) / 2)});
    textAt(list, {at.x + sign + theme.px(4), at.y}, colours.textDim, text);
    at.x += wide + theme.px(12);
  };
  const auto coloured = [&](ImU32 colour, Swatch kind) {
    return [&, colour, kind](ImVec2 min) { swatch(list, theme, min, sign, colour, kind); };
  };
  entry(tr("read"), coloured(colours.interior, Swatch::Filled));
  entry(tr("written"), coloured(colours.output, Swatch::Filled));
  entry(tr("nothing in it yet"), coloured(colours.ghost, Swatch::Hatched));
  if (!state.program.executed->faults.empty()) { entry(tr("fault"), coloured(colours.fault, Swatch::Filled)); }
  const auto& columns = state.program.executed->timeline.columns;
  for (const CallKind kind : kKinds) {
    if (kind == CallKind::Launch) { continue; }  // the kernel's name is above it
    if (std::ranges::find(columns, kind, &ProgramColumn::kind) == columns.end()) { continue; }
    entry(word(kind), [&](ImVec2 min) {
      drawCallSign(list, theme, kind, CopyDirection::None, {min.x + sign / 2, min.y + sign / 2}, sign * 1.15F,
                   colours.textDim);
    });
  }
  ImGui::Dummy({width, at.y - origin.y + line});
}

}  // namespace haloscope::ui
