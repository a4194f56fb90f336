#include "lessons/FormulaLayout.h"

#include <algorithm>
#include <utility>

namespace haloscope::lessons {

namespace {

using NodeKind = FormulaNode::Kind;
using Spacing = FormulaNode::Class;

constexpr float kScript = 0.74F, kSmallestScript = 0.62F, kInlineFraction = 0.84F;
constexpr float kRule = 0.055F;  // thickness of bars, in ems
constexpr float kTall = 1.75F;   // content higher than so many ems gets brackets that are drawn

/// How a part is set.
struct Style {
  float size = 0;
  bool display = false;
  int script = 0;  ///< how deep in exponents and indices
};

class Setter {
 public:
  Setter(const FormulaFont& font, float size) : font_(font), whole_(size) {}

  [[nodiscard]] FormulaPicture set(const FormulaNode& node, const Style& style) const {
    switch (node.kind) {
      case NodeKind::Row:
        return setRow(node.parts, style);
      case NodeKind::Symbol:
        return setText(node.text, node.italic, style.size);
      case NodeKind::Fraction:
        return setFraction(node, style);
      case NodeKind::Scripts:
        return setScripts(node, style);
      case NodeKind::Large:
        return setLarge(node, style);
      case NodeKind::Root:
        return setRoot(node, style);
      case NodeKind::Fenced:
        return setFenced(node, style);
      case NodeKind::Space: {
        FormulaPicture space;
        space.extent.width = node.width * font_.em(style.size);
        return space;
      }
    }
    return {};
  }

  [[nodiscard]] std::vector<FormulaPicture> setPieces(const FormulaNode& row, const Style& style) const {
    std::vector<FormulaPicture> pieces;
    std::vector<FormulaNode> part;
    const auto flush = [&] {
      if (part.empty()) { return; }
      pieces.push_back(setRow(part, style));
      part.clear();
    };
    for (const FormulaNode& node : row.parts) {
      const bool breaks = node.kind == NodeKind::Symbol && node.spacing == Spacing::Relation;
      if (breaks) { flush(); }
      part.push_back(node);
    }
    flush();
    return pieces;
  }

 private:
  static void place(FormulaPicture& into, FormulaPicture part, float x, float y) {
    for (FormulaMark& mark : part.marks) {
      mark.x += x;
      mark.y += y;
      for (auto& point : mark.points) { point = {point[0] + x, point[1] + y}; }
      into.marks.push_back(std::move(mark));
    }
    into.extent.ascent = std::max(into.extent.ascent, part.extent.ascent - y);
    into.extent.descent = std::max(into.extent.descent, part.extent.descent + y);
  }

  static void stroke(FormulaPicture& into, std::vector<std::array<float, 2>> points, float thickness) {
    into.marks.push_back({.kind = FormulaMark::Kind::Stroke, .size = thickness, .points = std::move(points)});
  }

  [[nodiscard]] FormulaPicture setText(const std::string& text, bool italic, float size) const {
    FormulaPicture picture;
    picture.extent = font_.measure(text, italic, size);
    picture.marks.push_back({.size = size, .italic = italic, .text = text});
    return picture;
  }

  [[nodiscard]] Style scriptOf(const Style& style) const {
    const float size =
        style.script == 0 ? style.size * kScript : std::max(style.size * kScript, whole_ * kSmallestScript);
    return {.size = size, .display = false, .script = style.script + 1};
  }

  /// Space before and after a symbol, in ems.
  static float spaceAround(Spacing spacing, bool script) {
    switch (spacing) {
      case Spacing::Relation:
        return script ? 0.1F : 0.28F;
      case Spacing::Operator:
        return script ? 0.05F : 0.22F;
      default:
        return 0;
    }
  }

  [[nodiscard]] FormulaPicture setRow(const std::vector<FormulaNode>& parts, const Style& style) const {
    FormulaPicture row;
    const float em = font_.em(style.size);
    float x = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const FormulaNode& part = parts[i];
      FormulaPicture picture = set(part, style);
      float before = spaceAround(part.spacing, style.script > 0), after = before;
      if (isSign(parts, i)) { before = after = 0; }
      if (i == 0) { before = 0; }
      if (i > 0 && part.spacing == Spacing::Function) { before = 0.17F; }
      if (part.spacing == Spacing::Punctuation) { after = style.script > 0 ? 0.08F : 0.2F; }
      if (part.kind == NodeKind::Large) { before = i == 0 ? 0 : 0.17F, after = 0.17F; }
      if (part.kind == NodeKind::Fraction) { before = i == 0 ? 0 : 0.06F, after = 0.06F; }
      const bool function =
          part.spacing == Spacing::Function && i + 1 < parts.size() && parts[i + 1].kind != NodeKind::Fenced;
      if (function) { after = 0.17F; }
      // A slanted letter leans over an upright bracket or digit.
      if (part.kind == NodeKind::Symbol && part.italic && i + 1 < parts.size() &&
          parts[i + 1].kind == NodeKind::Fenced) {
        after = 0.04F;
      }
      x += before * em;
      const float width = picture.extent.width;
      place(row, std::move(picture), x, 0);
      x += width + after * em;
    }
    row.extent.width = x;
    return row;
  }

  [[nodiscard]] FormulaPicture setFraction(const FormulaNode& node, const Style& style) const {
    Style inner = style;
    inner.display = false;
    if (!style.display) { inner.size = std::max(style.size * kInlineFraction, whole_ * kSmallestScript); }
    const float em = font_.em(inner.size), bar = std::max(1.0F, kRule * font_.em(style.size));
    FormulaPicture above = set(node.parts[0], inner), below = set(node.parts[1], inner);
    const float pad = 0.1F * em, gap = 0.16F * em + bar / 2;
    const float width = std::max(above.extent.width, below.extent.width) + 2 * pad;
    const float axis = font_.axis(style.size);
    FormulaPicture picture;
    const float aboveX = (width - above.extent.width) / 2, belowX = (width - below.extent.width) / 2;
    const float aboveY = -axis - gap - above.extent.descent, belowY = -axis + gap + below.extent.ascent;
    place(picture, std::move(above), aboveX, aboveY);
    place(picture, std::move(below), belowX, belowY);
    stroke(picture, {{0, -axis}, {width, -axis}}, bar);
    picture.extent.width = width;
    return picture;
  }

  [[nodiscard]] FormulaPicture setScripts(const FormulaNode& node, const Style& style) const {
    FormulaPicture picture = set(node.parts[0], style);
    const float em = font_.em(style.size), base = picture.extent.width;
    const Style inner = scriptOf(style);
    const bool hasUpper = !node.parts[1].parts.empty(), hasLower = !node.parts[2].parts.empty();
    FormulaPicture upper = setRow(node.parts[1].parts, inner), lower = setRow(node.parts[2].parts, inner);
    const bool tall = node.parts[0].kind == NodeKind::Fenced || node.parts[0].kind == NodeKind::Row;
    float up = std::max(0.38F * em, tall ? picture.extent.ascent - 0.42F * em : 0.0F);
    up = std::max(up, 0.24F * em + upper.extent.descent);
    float down = std::max(0.2F * em, tall ? picture.extent.descent - 0.05F * em : 0.0F);
    down = std::max(down, lower.extent.ascent - 0.42F * em);
    if (hasUpper && hasLower) {
      const float gap = up - upper.extent.descent - (lower.extent.ascent - down);
      down += std::max(0.0F, 0.14F * em - gap);
    }
    // An exponent stands clear of a slanted letter, an index tucks in below it.
    const float lean = node.parts[0].italic ? 0.05F * em : 0.02F * em;
    const float upperEnd = hasUpper ? lean + upper.extent.width : 0, lowerEnd = hasLower ? lower.extent.width : 0;
    if (hasUpper) { place(picture, std::move(upper), base + lean, -up); }
    if (hasLower) { place(picture, std::move(lower), base, down); }
    picture.extent.width = base + std::max(upperEnd, lowerEnd) + 0.04F * em;
    return picture;
  }

  [[nodiscard]] FormulaPicture setLarge(const FormulaNode& node, const Style& style) const {
    const float em = font_.em(style.size), axis = font_.axis(style.size);
    FormulaPicture sign = setText(node.text, false, style.size * (style.display ? 1.7F : 1.2F));
    const float shift = (sign.extent.ascent - sign.extent.descent) / 2 - axis;
    const Style inner = scriptOf(style);
    FormulaPicture upper = setRow(node.parts[0].parts, inner), lower = setRow(node.parts[1].parts, inner);
    FormulaPicture picture;
    const float top = sign.extent.ascent - shift, bottom = sign.extent.descent + shift;
    const float signWidth = sign.extent.width;
    if (!style.display) {
      const float beside = std::max(upper.extent.width, lower.extent.width);
      place(picture, std::move(sign), 0, shift);
      if (!node.parts[0].parts.empty()) { place(picture, std::move(upper), signWidth, -top + 0.3F * em); }
      if (!node.parts[1].parts.empty()) { place(picture, std::move(lower), signWidth, bottom + 0.1F * em); }
      picture.extent.width = signWidth + beside;
      return picture;
    }
    const float width = std::max({signWidth, upper.extent.width, lower.extent.width});
    const float gap = 0.18F * em;
    const float upperX = (width - upper.extent.width) / 2, upperY = -top - gap - upper.extent.descent;
    const float lowerX = (width - lower.extent.width) / 2, lowerY = bottom + gap + lower.extent.ascent;
    place(picture, std::move(sign), (width - signWidth) / 2, shift);
    if (!node.parts[0].parts.empty()) { place(picture, std::move(upper), upperX, upperY); }
    if (!node.parts[1].parts.empty()) { place(picture, std::move(lower), lowerX, lowerY); }
    picture.extent.width = width;
    return picture;
  }

  [[nodiscard]] FormulaPicture setRoot(const FormulaNode& node, const Style& style) const {
    const float em = font_.em(style.size), bar = std::max(1.0F, kRule * em);
    FormulaPicture body = set(node.parts[0], style);
    const float sign = 0.55F * em, gap = 0.14F * em;
    const float top = -std::max(body.extent.ascent, 0.7F * em) - gap, bottom = body.extent.descent + 0.02F * em;
    const float width = body.extent.width;
    FormulaPicture picture;
    place(picture, std::move(body), sign + 0.06F * em, 0);
    const float height = bottom - top;
    stroke(picture, {{0, bottom - 0.42F * height}, {0.14F * em, bottom - 0.48F * height}}, bar);
    stroke(picture, {{0.14F * em, bottom - 0.48F * height}, {0.32F * em, bottom}}, 1.7F * bar);
    stroke(picture, {{0.32F * em, bottom}, {sign, top}, {sign + width + 0.12F * em, top}}, bar);
    picture.extent.width = sign + width + 0.16F * em;
    picture.extent.ascent = std::max(picture.extent.ascent, -top + bar);
    picture.extent.descent = std::max(picture.extent.descent, bottom);
    return picture;
  }

  /// One bracket, from `top` to `bottom`. Those that the fonts lack are always drawn.
  [[nodiscard]] FormulaPicture setBracket(const std::string& text, float top, float bottom, bool tall,
                                          const Style& style) const {
    const float em = font_.em(style.size), line = std::max(1.0F, 0.07F * em);
    const bool square = text == "⌈" || text == "⌉" || text == "⌊" || text == "⌋";
    if (text.empty()) { return {}; }
    if (!square && (!tall || text == "{" || text == "}")) {
      const float size = tall ? style.size * (bottom - top) / (1.1F * em) : style.size;
      FormulaPicture glyph = setText(text, false, size);
      FormulaPicture centred;
      const float shift = tall ? (glyph.extent.ascent - glyph.extent.descent + top + bottom) / 2 : 0;
      centred.extent.width = glyph.extent.width;
      place(centred, std::move(glyph), 0, shift);
      return centred;
    }
    FormulaPicture picture;
    const float width = (square ? 0.26F : 0.3F) * em, pad = 0.07F * em;
    const bool opening = text == "(" || text == "[" || text == "⌈" || text == "⌊";
    const float back = opening ? pad : width + pad, front = opening ? width + pad : pad;
    if (text == "(" || text == ")") {
      const float bend = opening ? back - 0.05F * em : back + 0.05F * em, height = bottom - top;
      picture.marks.push_back(
          {.kind = FormulaMark::Kind::Curve,
           .size = line * 1.1F,
           .points = {{front, top}, {bend, top + 0.3F * height}, {bend, bottom - 0.3F * height}, {front, bottom}}});
    } else if (text == "|") {
      stroke(picture, {{width / 2 + pad, top}, {width / 2 + pad, bottom}}, line);
    } else {
      std::vector<std::array<float, 2>> points;
      if (text != "⌊" && text != "⌋") { points.push_back({front, top}); }
      points.push_back({back, top});
      points.push_back({back, bottom});
      if (text != "⌈" && text != "⌉") { points.push_back({front, bottom}); }
      stroke(picture, std::move(points), line);
    }
    picture.extent = {width + 2 * pad, -top, bottom};
    return picture;
  }

  [[nodiscard]] FormulaPicture setFenced(const FormulaNode& node, const Style& style) const {
    const float em = font_.em(style.size), axis = font_.axis(style.size);
    FormulaPicture body = set(node.parts[0], style);
    const float reach = std::max({body.extent.ascent - axis, body.extent.descent + axis, 0.5F * em});
    const bool tall = 2 * reach > kTall * em;
    const float top = -axis - reach - (tall ? 0.06F * em : 0), bottom = -axis + reach + (tall ? 0.06F * em : 0);
    FormulaPicture open = setBracket(node.text, top, bottom, tall, style);
    FormulaPicture close = setBracket(node.closing, top, bottom, tall, style);
    FormulaPicture picture;
    const float openWidth = open.extent.width, width = body.extent.width, closeWidth = close.extent.width;
    place(picture, std::move(open), 0, 0);
    place(picture, std::move(body), openWidth, 0);
    place(picture, std::move(close), openWidth + width, 0);
    picture.extent.width = openWidth + width + closeWidth;
    return picture;
  }

  const FormulaFont& font_;
  float whole_;
};

}  // namespace

std::vector<FormulaPicture> layFormula(const FormulaNode& formula, const FormulaFont& font, float size, bool display) {
  return Setter(font, size).setPieces(formula, {.size = size, .display = display});
}

}  // namespace haloscope::lessons
