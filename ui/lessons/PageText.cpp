#include "ui/lessons/PageText.h"

#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "language/LineBreaks.h"
#include "language/Text.h"
#include "lessons/LessonMarks.h"
#include "ui/lessons/FormulaView.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

namespace {

constexpr float kShortFormula = 9;  // ems: a formula in the text up to this width is not divided

}  // namespace

/// A word, or a part of a formula: it is never divided.
struct PageText::Piece {
  enum class Kind : std::uint8_t { Word, Formula, Break };
  Kind kind = Kind::Word;
  std::string text{};
  lessons::FormulaPicture picture{};
  ImFont* font = nullptr;
  float size = 0;
  float width = 0, ascent = 0, descent = 0;
  float room = 0;        ///< with which lines are broken: a number that is not there yet, or grows, moves no word
  float space = 0;       ///< before it, unless it begins a line
  bool mayBegin = true;  ///< a line
  bool code = false, value = false;
  ImU32 colour = 0;
  std::optional<std::size_t> link{};
  std::size_t span = 0;  ///< pieces of one span have one ground, or one underline
  std::size_t valueIndex = 0;
};

std::string PageText::withValues(const std::string& tex) const {
  return lessons::withValues(tex, [this](std::size_t n) { return lessons::textOf(values_(n)); });
}

std::vector<lessons::FormulaPicture> PageText::layWithRoom(const std::string& tex, float size, bool display) const {
  std::vector<lessons::FormulaPicture> parts = layFormula(theme_, withValues(tex), size, display);
  bool values = false;
  const std::string roomy = lessons::withValues(tex, [&](std::size_t n) {
    values = true;
    return lessons::roomFor(lesson_.values[n]);
  });
  if (!values) { return parts; }
  const std::vector<lessons::FormulaPicture> room = layFormula(theme_, roomy, size, display);
  for (std::size_t i = 0; i < std::min(parts.size(), room.size()); ++i) {
    lessons::FormulaExtent& extent = parts[i].extent;
    extent.ascent = std::max(extent.ascent, room[i].extent.ascent);
    extent.descent = std::max(extent.descent, room[i].extent.descent);
    parts[i].room = std::max(extent.width, room[i].extent.width);
  }
  return parts;
}

void PageText::addWords(std::vector<Piece>& pieces, const lessons::Span& span, const std::string& text,
                        const TextLook& look, Face face) {
  ImFont* font = theme_.font(face);
  const float size = theme_.textPixels(look.size);
  ImFontBaked* baked = font->GetFontBaked(size);
  const Palette& colours = theme_.colours();
  const bool code = span.kind == lessons::Span::Kind::Code;
  const float space = font->CalcTextSizeA(size, FLT_MAX, 0, " ").x;
  const bool broken = span.link && lesson_.links[*span.link].broken;
  const auto add = [&](std::string_view word, float before, bool mayBegin) {
    Piece piece;
    piece.text = word;
    piece.font = font;
    piece.size = size;
    piece.width = font->CalcTextSizeA(size, FLT_MAX, 0, word.data(), word.data() + word.size()).x;
    piece.room = piece.width;
    piece.ascent = baked->Ascent;
    piece.descent = size - baked->Ascent;
    piece.space = before;
    piece.mayBegin = mayBegin;
    piece.code = code;
    piece.colour = broken ? colours.fault : span.link ? colours.accent : look.colour;
    piece.link = span.link;
    pieces.push_back(std::move(piece));
  };
  const bool begins = pieces.empty() || pieces.back().kind == Piece::Kind::Break;
  const std::string left = begins ? "" : pieces.back().kind == Piece::Kind::Formula ? "x" : pieces.back().text;
  for (const LinePiece& one : linePieces(text, left)) { add(one.text, one.spaced ? space : 0, one.mayBegin); }
  const float before = !text.empty() && (text.back() == ' ' || text.back() == '\n') ? space : 0;
  if (before > 0 && !pieces.empty()) {  // the space at the end belongs to what comes next
    Piece gap;
    gap.font = font;
    gap.size = size;
    gap.space = before;
    gap.ascent = baked->Ascent;
    gap.descent = size - baked->Ascent;
    gap.link = span.link;
    gap.code = code;
    pieces.push_back(std::move(gap));
  }
}

void PageText::addFormula(std::vector<Piece>& pieces, const lessons::Span& span, const TextLook& look) {
  const float size = theme_.textPixels(look.size);
  bool first = true;
  std::vector<lessons::FormulaPicture> parts = layWithRoom(span.text, size, span.kind == lessons::Span::Kind::Display);
  float width = 0;
  for (const lessons::FormulaPicture& part : parts) { width += part.extent.width; }
  const bool together = width < kShortFormula * size;
  for (lessons::FormulaPicture& picture : parts) {
    Piece piece;
    piece.kind = Piece::Kind::Formula;
    piece.width = picture.extent.width;
    piece.room = std::max(picture.extent.width, picture.room);
    piece.ascent = picture.extent.ascent;
    piece.descent = picture.extent.descent;
    piece.space = first ? 0 : 0.28F * size * 0.83F;
    piece.mayBegin = first ? pieces.empty() || mayDivide(pieces.back().text, "x") : !together;
    piece.colour = look.colour;
    piece.link = span.link;
    piece.picture = std::move(picture);
    pieces.push_back(std::move(piece));
    first = false;
  }
}

void PageText::giveRoom(std::vector<Piece>& pieces, std::size_t from, std::size_t value) {
  if (from >= pieces.size()) { return; }
  const Piece& first = pieces[from];
  const std::string widest = lessons::roomFor(lesson_.values[value]);
  float room = first.font->CalcTextSizeA(first.size, FLT_MAX, 0, widest.data(), widest.data() + widest.size()).x;
  // Until it is there it stands in the room of two digits.
  if (values_(value) == nullptr) {
    pieces[from].width = first.font->CalcTextSizeA(first.size, FLT_MAX, 0, "00").x;
    pieces[from].colour = theme_.colours().textDim;
  }
  for (std::size_t i = from + 1; i < pieces.size(); ++i) { room -= pieces[i].space + pieces[i].width; }
  pieces[from].room = std::max(pieces[from].width, room);
}

std::vector<PageText::Piece> PageText::piecesOf(const lessons::Spans& spans, const TextLook& look) {
  using Kind = lessons::Span::Kind;
  std::vector<Piece> pieces;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const lessons::Span& span = spans[i];
    const std::size_t before = pieces.size();
    const Face face = span.strong ? Face::SansStrong : span.emphasised ? Face::SansItalic : look.face;
    switch (span.kind) {
      case Kind::Text:
        addWords(pieces, span, span.text, look, face);
        break;
      case Kind::Code:
        addWords(pieces, span, span.text, look, Face::Mono);
        break;
      case Kind::Value:
        addWords(pieces, span, lessons::textOf(values_(span.value)), look, face);
        giveRoom(pieces, before, span.value);
        break;
      case Kind::Formula:
      case Kind::Display:
        addFormula(pieces, span, look);
        break;
      case Kind::Break: {
        Piece end;
        end.kind = Piece::Kind::Break;
        pieces.push_back(std::move(end));
        break;
      }
    }
    for (std::size_t n = before; n < pieces.size(); ++n) {
      pieces[n].span = i;
      pieces[n].value = span.kind == Kind::Value;
      pieces[n].valueIndex = span.value;
    }
  }
  // A gap gives its space to the next piece, which may then begin a line.
  std::vector<Piece> joined;
  float gap = 0;
  for (Piece& piece : pieces) {
    if (piece.kind == Piece::Kind::Word && piece.text.empty()) {
      gap = piece.space;
      continue;
    }
    if (gap > 0) {
      piece.space = gap;
      piece.mayBegin = joined.empty() || !staysTogether(joined.back().text, piece.text);
      gap = 0;
    }
    joined.push_back(std::move(piece));
  }
  return joined;
}

float PageText::widthOf(const lessons::Spans& spans, const TextLook& look) {
  float width = 0;
  for (const Piece& piece : piecesOf(spans, look)) { width += (width > 0 ? piece.space : 0) + piece.room; }
  return width;
}

void PageText::linkTooltip(const lessons::Link& link) const {
  const char* what = "";
  switch (link.kind) {
    case lessons::Link::Kind::Window:
      what = tr("Sets the right half of the window");
      break;
    case lessons::Link::Kind::Lesson:
      what = tr("Opens this lesson");
      break;
    case lessons::Link::Kind::Term:
      what = tr("Explained in the glossary");
      break;
    case lessons::Link::Kind::Exercise:
      what = tr("Opens an exercise with numbers of your own");
      break;
    case lessons::Link::Kind::Page:
      what = tr("Opens this page of the manual");
      break;
    case lessons::Link::Kind::Web:
      what = link.target.c_str();
      break;
  }
  const Tooltip tooltip(theme_);
  tooltip.note(what);
}

void PageText::drawLine(const std::vector<Piece>& pieces, std::size_t begin, std::size_t end, ImVec2 at, float baseline,
                        float height, std::optional<std::size_t>& clicked) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const Palette& colours = theme_.colours();
  float x = at.x;
  for (std::size_t i = begin; i < end;) {
    // A run: the pieces of one span, with one ground or one link.
    std::size_t last = i + 1;
    float width = pieces[i].width;
    while (last < end && pieces[last].span == pieces[i].span) {
      width += pieces[last].space + pieces[last].width;
      ++last;
    }
    if (i > begin) { x += pieces[i].space; }
    const Piece& first = pieces[i];
    const ImVec2 min(x, baseline - first.ascent), max(x + width, baseline + first.descent);
    bool hovered = false;
    if (first.link) {
      ImGui::SetCursorScreenPos(min);
      ImGui::PushID(static_cast<int>(*first.link));
      const std::string id = fmt::format("link{}", linkRuns_[*first.link]++);
      if (ImGui::InvisibleButton(id.c_str(), {std::max(1.0F, width), std::max(1.0F, height)},
                                 ImGuiButtonFlags_EnableNav)) {
        clicked = first.link;
      }
      ImGui::PopID();
      hovered = ImGui::IsItemHovered() || ImGui::IsItemFocused();
      if (ImGui::IsItemHovered()) { ImGui::SetMouseCursor(ImGuiMouseCursor_Hand); }
      if (hovered) { linkTooltip(lesson_.links[*first.link]); }
      if (first.link == followed_) {
        list->AddRectFilled({min.x - theme_.px(2), min.y}, {max.x + theme_.px(2), max.y},
                            theme_.faded(colours.accent, 0.2F), theme_.px(3));
      }
    }
    if (first.code) {
      const float pad = theme_.px(2);
      list->AddRectFilled({min.x - pad, min.y - theme_.px(1)}, {max.x + pad, max.y + theme_.px(1)}, colours.panelRaised,
                          theme_.px(3));
    }
    for (; i < last; ++i) {
      const Piece& piece = pieces[i];
      if (piece.span == first.span && &piece != &first) { x += piece.space; }
      if (piece.kind == Piece::Kind::Formula) {
        drawFormula(list, theme_, piece.picture, {x, baseline}, piece.colour);
      } else {
        list->AddText(piece.font, piece.size, {std::round(x), std::round(baseline - piece.ascent)}, piece.colour,
                      piece.text.data(), piece.text.data() + piece.text.size());
      }
      x += piece.width;
    }
    const float under = std::round(baseline + theme_.px(3));
    if (first.link) {
      list->AddLine({min.x, under}, {max.x, under}, theme_.faded(first.colour, hovered ? 1.0F : 0.5F),
                    std::max(1.0F, theme_.px(1)));
    } else if (first.value) {
      for (float dot = min.x; dot < max.x; dot += theme_.px(4)) {
        list->AddLine({dot, under}, {std::min(dot + theme_.px(2), max.x), under}, theme_.faded(colours.series, 0.8F),
                      std::max(1.0F, theme_.px(1)));
      }
      if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(min, max)) {
        const lessons::Value& value = lesson_.values[first.valueIndex];
        const Tooltip tooltip(theme_);
        tooltip.title(value.expression);
        if (const lessons::ShownValue* const shown = values_(first.valueIndex)) {
          for (const questions::Origin origin : shown->origins) { tooltip.note(questions::sentence(origin)); }
          if (!shown->missing.empty()) { tooltip.note(shown->missing); }
        }
      }
    }
  }
}

std::optional<std::size_t> PageText::draw(const lessons::Spans& spans, float width, const TextLook& look) {
  const std::vector<Piece> pieces = piecesOf(spans, look);
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float size = theme_.textPixels(look.size), step = look.leading * size;
  ImFontBaked* baked = theme_.font(look.face)->GetFontBaked(size);
  std::optional<std::size_t> clicked;
  float y = start.y;
  for (std::size_t begin = 0; begin < pieces.size();) {
    float used = 0;
    std::size_t end = begin, fits = begin;
    for (; end < pieces.size() && pieces[end].kind != Piece::Kind::Break; ++end) {
      const float more = (end > begin ? pieces[end].space : 0) + pieces[end].room;
      if (end > begin && pieces[end].mayBegin) { fits = end; }
      if (used + more > width && fits > begin) {
        end = fits;
        break;
      }
      used += more;
    }
    float ascent = baked->Ascent, descent = size - baked->Ascent;
    for (std::size_t i = begin; i < end; ++i) {
      ascent = std::max(ascent, pieces[i].ascent);
      descent = std::max(descent, pieces[i].descent);
    }
    const float extra = step - size;
    const float baseline = std::round(y + extra / 2 + ascent);
    drawLine(pieces, begin, end, {start.x, y}, baseline, size, clicked);
    y += std::max(step, ascent + descent + extra);
    begin = end < pieces.size() && pieces[end].kind == Piece::Kind::Break ? end + 1 : end;
  }
  ImGui::SetCursorScreenPos(start);
  ImGui::Dummy({width, std::max(0.0F, y - start.y)});
  return clicked;
}

void PageText::drawDisplay(const std::string& tex, float width) {
  const float size = theme_.textPixels(TextSize::Body) * 1.1F;
  const std::vector<lessons::FormulaPicture> parts = layWithRoom(tex, size, true);
  const float gap = 0.24F * size;
  const ImVec2 start = ImGui::GetCursorScreenPos();
  float y = start.y;
  for (std::size_t begin = 0; begin < parts.size();) {
    float used = 0, room = 0;
    std::size_t end = begin;
    lessons::FormulaExtent line;
    for (; end < parts.size(); ++end) {
      const float more = (end > begin ? gap : 0) + std::max(parts[end].extent.width, parts[end].room);
      if (end > begin && room + more > width) { break; }
      room += more;
      used += (end > begin ? gap : 0) + parts[end].extent.width;
      line.ascent = std::max(line.ascent, parts[end].extent.ascent);
      line.descent = std::max(line.descent, parts[end].extent.descent);
    }
    float x = start.x + std::max(0.0F, (width - used) / 2);
    const float baseline = std::round(y + line.ascent);
    for (; begin < end; ++begin) {
      drawFormula(ImGui::GetWindowDrawList(), theme_, parts[begin], {x, baseline}, theme_.colours().text);
      x += parts[begin].extent.width + gap;
    }
    y = baseline + line.descent + theme_.px(8);
  }
  ImGui::Dummy({width, std::max(1.0F, y - start.y)});
}

}  // namespace haloscope::ui
