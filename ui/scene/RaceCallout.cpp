#include "ui/scene/RaceCallout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "actions/Barriers.h"
#include "language/Text.h"
#include "program/Launch.h"
#include "recording/BlockView.h"

namespace haloscope::ui {

namespace {

constexpr float kCardPad = 7, kAside = 26, kCardGap = 8, kNamePad = 4, kNameBelow = 10;  // at scale 1

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

ImVec2 sizeOf(const Theme& theme, const Card& card) {
  float width = 0;
  for (const auto& [face, text] : {std::pair(Face::SansStrong, &card.title), std::pair(Face::Sans, &card.text)}) {
    const FontScope font(theme, face, TextSize::Small);
    width = std::max(width, textWidth(*text));
  }
  const float pad = theme.px(kCardPad);
  return {width + 2 * pad, 2 * theme.textPixels(TextSize::Small) + 2 * pad};
}

void drawCard(const Theme& theme, const Card& card, ImVec2 at, ImVec2 cell) {
  const Palette& colours = theme.colours();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float pad = theme.px(kCardPad), line = theme.textPixels(TextSize::Small);
  const ImVec2 size = sizeOf(theme, card), max{at.x + size.x, at.y + size.y};
  const float alpha = card.done ? 1.0F : 0.45F;
  // From the card to the cell, or back: the way that the value takes.
  const bool above = max.y < cell.y;
  const bool below = at.y > cell.y;
  const ImVec2 edge = above || below ? ImVec2((at.x + max.x) / 2, above ? max.y : at.y)
                                     : ImVec2(max.x < cell.x ? max.x : at.x, (at.y + max.y) / 2);
  const ImVec2 bend{above || below ? edge.x : (edge.x + cell.x) / 2, cell.y - theme.px(8)};
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

struct NamePlace {
  ImVec2 low, high;
};

/// Of the element's name: below its cell, inside the picture.
NamePlace placeOfName(const Theme& theme, const std::string& name, ImVec2 cell, ImVec2 min, ImVec2 max) {
  const FontScope font(theme, Face::Mono, TextSize::Small);
  const ImVec2 size{textWidth(name) + 2 * theme.px(kNamePad), ImGui::GetTextLineHeight()};
  const ImVec2 low{std::max(min.x, std::min(cell.x - size.x / 2, max.x - size.x)),
                   std::max(min.y, std::min(cell.y + theme.px(kNameBelow), max.y - size.y))};
  return {low, {low.x + size.x, low.y + size.y}};
}

}  // namespace

void drawRaceCallout(const AppState& state, const Theme& theme, const SceneView& scene, LabelPlacer placer, ImVec2 min,
                     ImVec2 max) {
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
  const std::string name = recording::formatElement(recording.program->objects[race->object].name,
                                                    recording.extents[race->object], race->element);
  const NamePlace place = placeOfName(theme, name, *cell, min, max);
  scene.blockCells(placer);
  placer.block(place.low, place.high);
  float top = min.y;  // where nothing is free: one below the other at the edge, over the planes that are read from
  for (const Card& card : cards) {
    const ImVec2 size = sizeOf(theme, card);
    auto at = placer.tryPlace(*cell, size, theme.px(kAside));
    if (!at) { at = placer.tryAnywhere(*cell, size, theme.px(kCardGap)); }
    if (!at) {
      at = ImVec2(min.x, std::max(min.y, std::min(top, max.y - size.y)));
      top = at->y + size.y + theme.px(kCardGap);
    }
    drawCard(theme, card, *at, *cell);
  }
  list->AddCircleFilled(*cell, theme.px(5), theme.colours().fault);
  list->AddCircle(*cell, theme.px(8), theme.colours().fault, 0, theme.px(2));
  const FontScope font(theme, Face::Mono, TextSize::Small);
  list->AddRectFilled(place.low, place.high, theme.faded(theme.colours().panel, 0.85F), theme.px(3));
  textAt(list, {place.low.x + theme.px(kNamePad), place.low.y}, theme.colours().text, name);
  list->PopClipRect();
}

}  // namespace haloscope::ui
