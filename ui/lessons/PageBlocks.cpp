#include "ui/lessons/PageBlocks.h"

#include <imgui.h>

#include <algorithm>
#include <string>
#include <vector>

#include "lessons/LessonText.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

namespace {

using lessons::Block;

constexpr float kIndent = 20;  // of each list

class Blocks {
 public:
  Blocks(const Theme& theme, PageText& text, float width, const DrawBlock& other)
      : theme_(theme), text_(text), width_(width), other_(other) {}

  std::optional<std::size_t> draw(const std::vector<Block>& blocks) {
    bool list = false;
    for (const Block& block : blocks) {
      const bool item = block.level > 0 && block.kind != Block::Kind::Heading;
      if (list && !item) { space(4); }
      list = item;
      drawBlock(block);
    }
    return clicked_;
  }

 private:
  void space(float pixels) { ImGui::Dummy({0, theme_.px(pixels)}); }

  void text(const lessons::Spans& spans, float width, const TextLook& look) {
    if (const auto link = text_.draw(spans, width, look)) { clicked_ = link; }
  }

  [[nodiscard]] TextLook body() const { return {.colour = theme_.colours().text}; }

  void drawBlock(const Block& block) {
    const float indent = theme_.px(kIndent) * static_cast<float>(block.kind == Block::Kind::Heading ? 0 : block.level);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float left = at.x + indent;
    ImGui::SetCursorScreenPos({left, at.y});
    const float width = width_ - indent;
    ImGui::BeginGroup();
    switch (block.kind) {
      case Block::Kind::Heading:
        space(block.level <= 2 ? 8 : 4);
        text(block.spans, width, {.face = Face::SansStrong, .size = TextSize::Body, .colour = theme_.colours().text});
        space(2);
        break;
      case Block::Kind::Paragraph:
        drawParagraph(block, width);
        break;
      case Block::Kind::Formula:
        space(4);
        text_.drawDisplay(block.text, width);
        space(4);
        break;
      case Block::Kind::Code:
        drawCode(block, width);
        break;
      case Block::Kind::Table:
        drawTable(block, width);
        break;
      case Block::Kind::Problem:
        notice(theme_, block.text);
        space(8);
        break;
      case Block::Kind::Picture:
      case Block::Kind::Steps:
      case Block::Kind::Question:
        other_(block, width);
        break;
    }
    ImGui::EndGroup();
    ImGui::SetCursorScreenPos({at.x, ImGui::GetCursorScreenPos().y});
  }

  void drawParagraph(const Block& block, float width) {
    const Palette& colours = theme_.colours();
    if (!block.marker.empty()) {
      const ImVec2 at = ImGui::GetCursorScreenPos();
      const float extra = 0.4F * theme_.textPixels(TextSize::Body) / 2;
      theme_.push(Face::Sans, TextSize::Body);
      textAt(ImGui::GetWindowDrawList(), {at.x - theme_.px(6) - textWidth(block.marker), at.y + extra}, colours.textDim,
             block.marker);
      theme_.pop();
    }
    const ImVec2 top = ImGui::GetCursorScreenPos();
    const float shift = block.quoted ? theme_.px(12) : 0;
    if (block.quoted) { ImGui::SetCursorScreenPos({top.x + shift, top.y}); }
    text(block.spans, width - shift, body());
    if (block.quoted) {
      const float bottom = ImGui::GetItemRectMax().y;
      ImGui::GetWindowDrawList()->AddRectFilled(top, {top.x + theme_.px(3), bottom}, colours.border);
    }
    space(block.level > 0 ? 2 : 8);
  }

  void drawCode(const Block& block, float width) {
    const Palette& colours = theme_.colours();
    const FontScope font(theme_, Face::Mono, TextSize::Small);
    std::string code = block.text;
    while (!code.empty() && code.back() == '\n') { code.pop_back(); }
    const ImVec2 at = ImGui::GetCursorScreenPos(), size = ImGui::CalcTextSize(code.c_str());
    const float pad = theme_.px(10);
    ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + width, at.y + size.y + 2 * pad}, colours.panelRaised,
                                              theme_.px(6));
    ImGui::GetWindowDrawList()->AddText({at.x + pad, at.y + pad}, colours.text, code.c_str());
    ImGui::Dummy({width, size.y + 2 * pad});
    space(8);
  }

  /// Columns as wide as they need, or narrowed in proportion.
  void drawTable(const Block& block, float width) {
    const Palette& colours = theme_.colours();
    if (block.rows.empty()) { return; }
    const std::size_t columns = block.rows.front().size();
    const float pad = theme_.px(10);
    std::vector<float> widths(columns, 0);
    for (std::size_t row = 0; row < block.rows.size(); ++row) {
      for (std::size_t column = 0; column < std::min(columns, block.rows[row].size()); ++column) {
        widths[column] = std::max(widths[column], text_.widthOf(block.rows[row][column], cellLook(row)) + 2 * pad);
      }
    }
    widths = lessons::fittedColumns(widths, width);
    float total = 0;
    for (const float one : widths) { total += one; }
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 start = ImGui::GetCursorScreenPos();
    float y = start.y;
    for (std::size_t row = 0; row < block.rows.size(); ++row) {
      float x = start.x, bottom = y;
      for (std::size_t column = 0; column < std::min(columns, block.rows[row].size()); ++column) {
        ImGui::SetCursorScreenPos({x + pad, y + theme_.px(3)});
        text(block.rows[row][column], std::max(1.0F, widths[column] - 2 * pad + 1), cellLook(row));
        bottom = std::max(bottom, ImGui::GetItemRectMax().y + theme_.px(3));
        x += widths[column];
      }
      y = bottom;
      list->AddLine({start.x, y}, {start.x + total, y}, colours.border, row == 0 ? theme_.px(1.5F) : theme_.px(1));
    }
    ImGui::SetCursorScreenPos(start);
    ImGui::Dummy({total, y - start.y});
    space(10);
  }

  [[nodiscard]] TextLook cellLook(std::size_t row) const {
    return {.face = row == 0 ? Face::SansStrong : Face::Sans,
            .size = TextSize::Small,
            .colour = row == 0 ? theme_.colours().textDim : theme_.colours().text,
            .leading = 1.3F};
  }

  const Theme& theme_;
  PageText& text_;
  float width_;
  const DrawBlock& other_;
  std::optional<std::size_t> clicked_;
};

}  // namespace

std::optional<std::size_t> drawBlocks(const Theme& theme, const lessons::Lesson& page, PageText& text, float width,
                                      const DrawBlock& other) {
  return Blocks(theme, text, width, other).draw(page.blocks);
}

}  // namespace haloscope::ui
