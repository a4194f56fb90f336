#include "ui/lessons/FormulaView.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "program/SourceLocation.h"

namespace haloscope::ui {

namespace {

class ThemeFont final : public lessons::FormulaFont {
 public:
  explicit ThemeFont(const Theme& theme) : theme_(theme) {}

  [[nodiscard]] lessons::FormulaExtent measure(std::string_view text, bool italic, float size) const override {
    ImFontBaked* baked = fontOf(italic)->GetFontBaked(size);
    lessons::FormulaExtent extent;
    for (const char *at = text.data(), *end = at + text.size(); at < end;) {
      unsigned int character = 0;
      at += ImTextCharFromUtf8(&character, at, end);
      const ImFontGlyph* glyph = baked->FindGlyph(static_cast<ImWchar>(character));
      extent.width += glyph->AdvanceX;
      if (!glyph->Visible) { continue; }
      extent.ascent = std::max(extent.ascent, baked->Ascent - glyph->Y0);
      extent.descent = std::max(extent.descent, glyph->Y1 - baked->Ascent);
    }
    return extent;
  }
  [[nodiscard]] float em(float size) const override { return size / kLineOfEm; }
  [[nodiscard]] float axis(float size) const override {
    ImFontBaked* baked = fontOf(false)->GetFontBaked(size);
    const ImFontGlyph* glyph = baked->FindGlyph('+');
    return baked->Ascent - (glyph->Y0 + glyph->Y1) / 2;
  }

 private:
  // ImGui counts a font's size from ascender to descender: of Inter 3408 of 2816 units.
  static constexpr float kLineOfEm = 3408.0F / 2816;

  [[nodiscard]] ImFont* fontOf(bool italic) const { return theme_.font(italic ? Face::SansItalic : Face::Sans); }

  const Theme& theme_;
};

}  // namespace

std::vector<lessons::FormulaPicture> layFormula(const Theme& theme, const std::string& tex, float size, bool display) {
  const ThemeFont font(theme);
  try {
    return lessons::layFormula(lessons::parseFormula(tex), font, size, display);
  } catch (const InputError&) {
    lessons::FormulaNode plain{.kind = lessons::FormulaNode::Kind::Row};
    plain.parts.push_back({.kind = lessons::FormulaNode::Kind::Symbol, .text = "$" + tex + "$"});
    return lessons::layFormula(plain, font, size, display);
  }
}

void drawFormula(ImDrawList* list, const Theme& theme, const lessons::FormulaPicture& picture, ImVec2 baseline,
                 ImU32 colour) {
  using Kind = lessons::FormulaMark::Kind;
  const auto at = [&](const std::array<float, 2>& point) {
    return ImVec2(baseline.x + point[0], baseline.y + point[1]);
  };
  for (const lessons::FormulaMark& mark : picture.marks) {
    if (mark.kind == Kind::Text) {
      ImFont* font = theme.font(mark.italic ? Face::SansItalic : Face::Sans);
      const float ascent = font->GetFontBaked(mark.size)->Ascent;
      list->AddText(font, mark.size, {baseline.x + mark.x, std::round(baseline.y + mark.y - ascent)}, colour,
                    mark.text.data(), mark.text.data() + mark.text.size());
    } else if (mark.kind == Kind::Curve) {
      list->AddBezierCubic(at(mark.points[0]), at(mark.points[1]), at(mark.points[2]), at(mark.points[3]), colour,
                           mark.size);
    } else {
      // A horizontal bar lies on whole pixels; otherwise it is a grey blur.
      if (mark.points.size() == 2 && mark.points[0][1] == mark.points[1][1]) {
        const float thickness = std::max(1.0F, std::round(mark.size));
        const float y = std::round(baseline.y + mark.points[0][1] - thickness / 2);
        list->AddRectFilled({baseline.x + mark.points[0][0], y}, {baseline.x + mark.points[1][0], y + thickness},
                            colour);
        continue;
      }
      std::vector<ImVec2> points;
      for (const auto& point : mark.points) { points.push_back(at(point)); }
      list->AddPolyline(points.data(), static_cast<int>(points.size()), colour, mark.size);
    }
  }
}

}  // namespace haloscope::ui
