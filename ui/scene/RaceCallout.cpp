#include "ui/scene/RaceCallout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "actions/Barriers.h"
#include "language/Text.h"
#include "program/Launch.h"
#include "recording/BlockView.h"

namespace haloscope::ui {

namespace {

constexpr float kCardWidth = 150, kCardPad = 7, kAside = 26, kAbove = 74;  // at scale 1

/// What a thread does to the element, as a card with an arrow.
struct Card {
  std::string title, text;
  ImU32 colour;
  bool store;
  bool done;  ///< it has happened
};

Card cardOf(const AppState& state, const Theme& theme, const analysis::RaceAccess& access, int number) {
  const recording::Recording& recording = state.cursor.recording();
  const int line = recording.program->code[access.instruction].range.line;
  Card card{trf("thread {}", haloscope::text(unlinear(access.thread, recording.configuration.block))),
            number > 0
                ? access.store ? trf("{}. writes, line {}", number, line) : trf("{}. reads, line {}", number, line)
            : access.store ? trf("writes, line {}", line)
                           : trf("reads, line {}", line),
            access.store ? theme.colours().fault : theme.colours().activeText, access.store,
            state.cursor.position() > access.step};
  return card;
}

void drawCard(const Theme& theme, const Card& card, ImVec2 at, ImVec2 cell) {
  const Palette& colours = theme.colours();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float pad = theme.px(kCardPad), line = theme.textPixels(TextSize::Small);
  const ImVec2 max{at.x + theme.px(kCardWidth), at.y + 2 * line + 2 * pad};
  const float alpha = card.done ? 1.0F : 0.45F;
  // From the card to the cell, or back: the way that the value takes.
  const ImVec2 edge{(at.x + max.x) / 2, max.y};
  const ImVec2 bend{edge.x, cell.y - theme.px(8)};
  const ImU32 colour = theme.faded(card.colour, alpha);
  list->AddBezierQuadratic(edge, bend, cell, colour, theme.px(2.5F));
  const ImVec2 head = card.store ? cell : edge;
  const ImVec2 from = bend;
  const float length = std::max(1.0F, std::hypot(head.x - from.x, head.y - from.y));
  const ImVec2 along{(head.x - from.x) / length * theme.px(9), (head.y - from.y) / length * theme.px(9)};
  list->AddTriangleFilled(head, {head.x - along.x - along.y / 2, head.y - along.y + along.x / 2},
                          {head.x - along.x + along.y / 2, head.y - along.y - along.x / 2}, colour);
  list->AddRectFilled(at, max, theme.faded(colours.panel, 0.94F), theme.px(5));
  list->AddRect(at, max, colour, theme.px(5), theme.px(1.5F));
  {
    const FontScope strong(theme, Face::SansStrong, TextSize::Small);
    textAt(list, {at.x + pad, at.y + pad}, theme.faded(colours.text, alpha), card.title);
  }
  const FontScope font(theme, Face::Sans, TextSize::Small);
  textAt(list, {at.x + pad, at.y + pad + line}, colour, card.text);
}

}  // namespace

void drawRaceCallout(const AppState& state, const Theme& theme, const SceneView& scene, ImVec2 min, ImVec2 max) {
  const auto race = raceOnStage(state);
  if (!race) { return; }
  const auto cell = scene.cellOf(race->object, race->element);
  if (!cell) { return; }
  const recording::Recording& recording = state.cursor.recording();
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->PushClipRect(min, max, true);
  // In one step, nothing says which came first.
  const bool known = !race->together();
  const std::array cards = {cardOf(state, theme, race->first, known ? 1 : 0),
                            cardOf(state, theme, race->second, known ? 2 : 0)};
  const float width = theme.px(kCardWidth), top = std::max(min.y, cell->y - theme.px(kAbove) - theme.px(50));
  const float wanted = std::min(cell->x - theme.px(kAside) - width, max.x - 2 * width - theme.px(2 * kAside));
  const float left = std::max(min.x, wanted);
  drawCard(theme, cards[0], {left, top}, *cell);
  drawCard(theme, cards[1], {std::max(left + width + theme.px(8), cell->x + theme.px(kAside)), top}, *cell);
  list->AddCircleFilled(*cell, theme.px(5), theme.colours().fault);
  list->AddCircle(*cell, theme.px(8), theme.colours().fault, 0, theme.px(2));
  const FontScope font(theme, Face::Mono, TextSize::Small);
  const std::string name = recording::formatElement(recording.program->objects[race->object].name,
                                                    recording.extents[race->object], race->element);
  const ImVec2 at{cell->x - textWidth(name) / 2, cell->y + theme.px(10)};
  list->AddRectFilled({at.x - theme.px(4), at.y},
                      {at.x + textWidth(name) + theme.px(4), at.y + ImGui::GetTextLineHeight()},
                      theme.faded(theme.colours().panel, 0.85F), theme.px(3));
  textAt(list, at, theme.colours().text, name);
  list->PopClipRect();
}

}  // namespace haloscope::ui
