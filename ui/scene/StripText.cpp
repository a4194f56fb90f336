#include "ui/scene/StripText.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "program/RealBits.h"
#include "ui/scene/SceneLabels.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

namespace {

using render::SceneBox;
using render::SceneLabel;
using render::SceneSource;

// Sizes of a value's text, by that of small text: where there is little room, and where there is much.
constexpr float kSmallest = 0.78F, kLargest = 1.5F;

/// "-.25", "3.1" or "0", with that many digits after the point.
std::string stripNumber(double value, int digits) {
  if (std::abs(value) < 0.5 * std::pow(10, -digits)) { return "0"; }
  std::string text = fmt::format("{:.{}f}", value, digits);
  const std::size_t sign = text[0] == '-' ? 1 : 0;
  if (digits > 0 && text.compare(sign, 2, "0.") == 0) { text.erase(sign, 1); }
  return text;
}

}  // namespace

render::SceneMargins stripMargins(const Theme& theme) {
  const FontScope font(theme, Face::Sans, TextSize::Small);
  const ImVec2 scale = ImGui::GetIO().DisplayFramebufferScale;
  const float side = theme.px(kStripMargin);
  const float line = ImGui::GetTextLineHeight() + side;
  return {scale.x * side, scale.y * line, scale.x * side, scale.y * line};
}

StripText::StripText(const Theme& theme, const ShownBlock& block, const render::SceneModel& model,
                     const render::SceneProjection& projection, ImVec2 min, ImVec2 max)
    : theme_(theme), block_(block), model_(model), projection_(projection), min_(min), max_(max) {}

void StripText::draw() const {
  ImGui::PushClipRect(min_, max_, true);
  const FontScope font(theme_, Face::Sans, TextSize::Small);
  drawRulers();
  drawValues(false);
  drawValues(true);
  drawNames();
  ImGui::PopClipRect();
}

std::optional<StripText::Number> StripText::valueOf(const SceneSource& source) const {
  const auto number = [](ValueType type, std::uint64_t bits) { return Number{numberOf(type, bits), isFloating(type)}; };
  const recording::Footprint& footprint = block_.experiment.footprint;
  const auto& objects = block_.experiment.program->objects;
  switch (source.kind) {
    case SceneSource::Kind::Carrier: {
      const recording::CarrierView& view = block_.view.carriers[source.carrier];
      const recording::CarrierCell& cell = view.cells[source.index];
      if (cell.cell.writer == kNone) { return std::nullopt; }
      return number(view.carrier->type, cell.cell.bits);
    }
    case SceneSource::Kind::Input:
      return number(objects[footprint.input].element, block_.view.inputs[source.index].bits);
    case SceneSource::Kind::Output: {
      const recording::PointView& point = block_.view.outputs[source.index];
      if (point.role != recording::Role::Output) { return std::nullopt; }
      return number(objects[footprint.output].element, point.bits);
    }
    case SceneSource::Kind::Ghost:
    case SceneSource::Kind::None:
      break;
  }
  return std::nullopt;
}

/// As the scene's shader fills it.
ImU32 StripText::fillOf(const SceneBox& box) const {
  const ImU32 panel = theme_.colours().panel;
  if (box.style != render::SceneStyle::Solid) { return panel; }
  const ImU32 role = sceneColour(theme_, box.colour);
  const ImU32 shaded = box.changed ? Theme::mixed(role, IM_COL32_WHITE, 0.3F)
                                   : Theme::mixed(role, IM_COL32_BLACK, 0.32F * (1 - box.shade));
  return Theme::mixed(panel, shaded, box.opacity);
}

ImVec2 StripText::onScreen(const glm::vec3& point) const {
  const glm::vec2 pixel = projection_.project(point);
  const ImVec2 scale = ImGui::GetIO().DisplayFramebufferScale;
  return {min_.x + pixel.x / scale.x, min_.y + pixel.y / scale.y};
}

float StripText::cellWidth() const { return projection_.pixelsPerUnit() / ImGui::GetIO().DisplayFramebufferScale.x; }

/// All numbers of a row have the same digits after the point, so that they can be compared: as many as have room.
void StripText::drawValues(bool outputs) const {
  struct Text {
    ImVec2 centre;
    Number number;
    ImU32 fill;
  };
  std::vector<Text> texts;
  bool real = false;
  float height = 0;
  for (const SceneBox& box : model_.boxes) {
    if ((box.kind == SceneSource::Kind::Output) != outputs) { continue; }
    for (int x = 0; x < box.cellsX; ++x) {
      const auto value = valueOf(model_.source(box, x, 0));
      if (!value) { continue; }
      const auto top = render::SceneModel::top(box, x, 0);
      texts.push_back({onScreen(0.5F * (top[0] + top[2])), *value, fillOf(box)});
      height = std::abs(onScreen(top[2]).y - onScreen(top[0]).y);
      real = real || (value->real && value->value != std::round(value->value));
    }
  }
  if (texts.empty()) { return; }
  // Digits are worth more than their size, up to a point.
  struct Form {
    int digits;
    float size;
  };
  constexpr std::array kFractions = {Form{2, kLargest}, Form{2, 1}, Form{1, 1}, Form{1, kSmallest}};
  constexpr std::array kIntegers = {Form{0, kLargest}, Form{0, 1}, Form{0, kSmallest}};
  const bool hundreds = std::ranges::any_of(texts, [](const Text& text) { return std::abs(text.number.value) >= 100; });
  std::vector<Form> forms;
  if (real) { forms.assign(kFractions.begin(), kFractions.end()); }
  if (!real || hundreds) { forms.insert(forms.end(), kIntegers.begin(), kIntegers.end()); }
  for (const Form& form : forms) {
    const bool large = form.size > 1;
    ImGui::PushFont(theme_.font(large ? Face::SansStrong : Face::Sans), theme_.textPixels(TextSize::Small) * form.size);
    const float room = cellWidth() - 1;
    const bool high = !large || ImGui::GetTextLineHeight() <= height;
    const bool fits = high && std::ranges::all_of(texts, [&](const Text& text) {
                        return textWidth(stripNumber(text.number.value, form.digits)) <= room;
                      });
    for (std::size_t i = 0; fits && i < texts.size(); ++i) {
      const Text& text = texts[i];
      const std::string word = stripNumber(text.number.value, form.digits);
      textAt(
          ImGui::GetWindowDrawList(),
          {std::round(text.centre.x - textWidth(word) / 2), std::round(text.centre.y - ImGui::GetTextLineHeight() / 2)},
          theme_.textOn(text.fill), word);
    }
    ImGui::PopFont();
    if (fits) { return; }
  }
}

/// Above each row the index of each cell, or of every second, fourth … one; always that of the cell below it.
void StripText::drawRulers() const {
  const float cell = cellWidth();
  const float height = ImGui::GetTextLineHeight();
  float widest = 0;
  for (const render::SceneRuler& ruler : model_.rulers) {
    widest = std::max({widest, textWidth(std::to_string(ruler.first)), textWidth(std::to_string(ruler.last))});
  }
  std::int64_t step = 1;
  while (static_cast<float>(step) * cell < widest + theme_.px(6)) { step *= 2; }
  for (const render::SceneRuler& ruler : model_.rulers) {
    for (std::int64_t index = ruler.first; index <= ruler.last; ++index) {
      if ((index - ruler.aligned) % step != 0) { continue; }
      const ImVec2 at = onScreen(ruler.from + glm::vec3(static_cast<float>(index - ruler.first) + 0.5F, 0, 0));
      const std::string text = std::to_string(index);
      textAt(ImGui::GetWindowDrawList(), {std::round(at.x - textWidth(text) / 2), std::round(at.y - height)},
             theme_.colours().textDim, text);
    }
  }
}

/// The input's name above the first row, the output's below the last.
void StripText::drawNames() const {
  const float height = ImGui::GetTextLineHeight();
  float x = min_.x + theme_.px(kStripMargin);
  ImDrawList* list = ImGui::GetWindowDrawList();
  for (const SceneLabel& label : model_.labels) {
    const auto nameWidth = [&] {
      const FontScope font(theme_, Face::Mono, TextSize::Small);
      return textWidth(label.text) + theme_.px(6);
    }();
    const bool output = label.side != SceneLabel::Side::Left;
    const float left = output ? max_.x - theme_.px(kStripMargin) - nameWidth - textWidth(label.detail) : x;
    const float y = output ? max_.y - height - theme_.px(2) : min_.y + theme_.px(2);
    {
      const FontScope font(theme_, Face::Mono, TextSize::Small);
      textAt(list, {left, y}, sceneColour(theme_, label.colour), label.text);
    }
    textAt(list, {left + nameWidth, y}, theme_.colours().textDim, label.detail);
    if (!output) { x += nameWidth + textWidth(label.detail) + theme_.px(16); }
  }
}

}  // namespace haloscope::ui
