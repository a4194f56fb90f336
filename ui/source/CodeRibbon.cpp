#include "ui/source/CodeRibbon.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "cells/CodeHtml.h"
#include "frontend/CodeText.h"
#include "language/Text.h"
#include "ui/widgets/Shortcuts.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

namespace {

constexpr int kAround = 2;      ///< lines above and below the statement
constexpr int kUsualLines = 6;  ///< with those around a statement
constexpr int kMostLines = 12;  ///< of a very long statement the first ones
constexpr float kRibbonPad = 9, kRowSpace = 1.22F;
constexpr float kSmallestLetters = 0.64F;  ///< of a statement that is too long, by the usual ones

bool blank(const CodeLine& line) { return line.tokens.empty(); }

}  // namespace

CodeRibbon::CodeRibbon(AppState& state, const Theme& theme, ImVec2 most) : state_(state), theme_(theme) {
  if (state.experiment == nullptr || state.view.tabs.inFront(Tab::Source)) { return; }
  const KernelFile& file = state.experiment->file;
  names_ = nameColours(state, theme);
  current_ = currentCode(state);
  lines_ = &state.code.lines(file.text);
  const int count = static_cast<int>(lines_->size());
  const SourceRange kernel = state.experiment->program->kernelRange;
  const SourceRange& shown = current_.statement.valid() ? current_.statement : kernel;
  if (!shown.valid() || count == 0) { return; }
  const int last = std::min(current_.statement.valid() ? shown.endLine : shown.line, count);
  const FontScope font(theme, Face::Mono, TextSize::Body);
  charWidth_ = ImGui::GetFontBaked()->GetCharAdvance('0');
  rowHeight_ = std::round(ImGui::GetTextLineHeight() * kRowSpace);
  pad_ = theme.px(kRibbonPad);
  const int rows = std::clamp(static_cast<int>((most.y - 2 * pad_) / rowHeight_), 1, kMostLines);
  const int around = std::clamp((std::min(kUsualLines, rows) - (last - shown.line + 1)) / 2, 0, kAround);
  first_ = std::clamp(shown.line - 1 - around, 0, count - 1);
  end_ = std::clamp(std::min(last + around, first_ + rows), first_ + 1, count);

  gutter_ = pad_ + charWidth_ * static_cast<float>(std::to_string(count).size()) + theme.px(14);
  int longest = 0, statement = 0;
  indent_ = 1 << 20;
  for (int i = first_; i < end_; ++i) {
    const CodeLine& line = (*lines_)[static_cast<std::size_t>(i)];
    if (blank(line)) { continue; }
    indent_ = std::min(indent_, columnsOf(line.piece(0, line.tokens.front().begin)));
    longest = std::max(longest, columnsOf(line.text));
    if (i + 1 >= shown.line && i + 1 <= last) { statement = std::max(statement, columnsOf(line.text)); }
  }
  if (indent_ > longest) { indent_ = 0; }
  const float room = most.x - gutter_ - 2 * pad_;
  const float whole = charWidth_ * static_cast<float>(std::max(statement - indent_, 1));
  letters_ = std::clamp(room / whole, kSmallestLetters, 1.0F);
  charWidth_ *= letters_;
  rowHeight_ = std::round(rowHeight_ * letters_);
  const float wanted = gutter_ + charWidth_ * static_cast<float>(longest - indent_) + 2 * pad_;
  size_ = {std::min(std::max(wanted, theme.px(300)), most.x),
           static_cast<float>(end_ - first_) * rowHeight_ + 2 * pad_};
}

float CodeRibbon::mostHeight(const Theme& theme) {
  const FontScope font(theme, Face::Mono, TextSize::Body);
  return kUsualLines * std::round(ImGui::GetTextLineHeight() * kRowSpace) + theme.px(2 * kRibbonPad);
}

float CodeRibbon::x(int line, int byte) const {
  return textLeft() +
         charWidth_ * static_cast<float>(columnsOf((*lines_)[static_cast<std::size_t>(line)].piece(0, byte)) - indent_);
}

ImU32 CodeRibbon::colourOf(std::string_view name, ImU32 other) const {
  const auto found = std::ranges::find(names_, name, &NameColours::value_type::first);
  return found != names_.end() ? found->second : other;
}

void CodeRibbon::draw(ImVec2 at) {
  if (size_.x <= 0) { return; }
  at_ = at;
  const Palette& colours = theme_.colours();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 max{at.x + size_.x, at.y + size_.y};
  ImGui::SetCursorScreenPos(at);
  if (ImGui::InvisibleButton("ribbon", size_, ImGuiButtonFlags_EnableNav)) {
    state_.view.tabs.bringToFront(Tab::Source);
  }
  const bool asked = lastItemAsked();
  list->AddRectFilled(at, max, theme_.faded(colours.panel, 0.92F), theme_.px(6));
  list->AddRect(at, max, asked ? colours.textDim : colours.border, theme_.px(6));
  list->PushClipRect(at, max, true);
  {
    const FontScope font(theme_, Face::Mono, TextSize::Body);
    ImGui::PushFont(nullptr, ImGui::GetFontSize() * letters_);
    for (int line = first_; line < end_; ++line) {
      drawLine(line, at.y + pad_ + static_cast<float>(line - first_) * rowHeight_);
    }
    ImGui::PopFont();
  }
  list->PopClipRect();
  findAccesses(at);
  if (asked) {
    const Tooltip tip(theme_);
    tip.note(tr("show the whole source"));
  }
}

void CodeRibbon::drawLine(int index, float top) {
  const Palette& colours = theme_.colours();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const CodeLine& line = (*lines_)[static_cast<std::size_t>(index)];
  const SourceRange& statement = current_.statement;
  const bool here = statement.valid() && statement.line <= index + 1 && index + 1 <= statement.endLine;
  const float bottom = top + rowHeight_;
  if (here) {
    list->AddRectFilled({at_.x, top}, {at_.x + size_.x, bottom}, theme_.faded(colours.active, 0.13F));
    list->AddRectFilled({at_.x, top}, {at_.x + theme_.px(3), bottom}, colours.active);
  }
  const float text = top + std::floor((rowHeight_ - ImGui::GetTextLineHeight()) / 2);
  const std::string number = std::to_string(index + 1);
  textAt(list, {textLeft() - theme_.px(14) - textWidth(number), text},
         here ? colours.activeText : theme_.faded(colours.textDim, 0.7F), number);
  const int end = lastByte(line, index);
  for (const Token& token : line.tokens) {
    if (token.begin >= end) { break; }
    const std::string_view piece = line.piece(token.begin, std::min(token.end, end));
    const std::string_view name = line.piece(token.begin, token.end);
    const ImU32 plain = theme_.of(token.kind);
    const ImU32 colour = token.kind == TokenKind::Name ? colourOf(name, plain) : plain;
    textAt(list, {x(index, token.begin), text}, here ? colour : Theme::mixed(colours.panel, colour, 0.62F), piece);
  }
  const bool goesOn = here && index + 1 == end_ && statement.endLine > end_;
  if (goesOn || end < static_cast<int>(line.text.size())) { textAt(list, {x(index, end), text}, colours.textDim, "…"); }
  if (!state_.choice.withoutBarriers.contains(index + 1) || blank(line)) { return; }
  const float middle = std::round(top + rowHeight_ / 2);
  list->AddLine({x(index, line.tokens.front().begin), middle}, {x(index, line.tokens.back().end), middle},
                colours.fault, std::max(1.0F, theme_.px(1.5F)));
}

int CodeRibbon::lastByte(const CodeLine& line, int index) const {
  const int whole = static_cast<int>(line.text.size());
  const float right = at_.x + size_.x - pad_;
  if (x(index, whole) <= right) { return whole; }
  int end = whole;
  const auto continues = [&](int byte) { return (line.text[static_cast<std::size_t>(byte)] & 0xC0) == 0x80; };
  while (end > 0 && (x(index, end) > right - charWidth_ || (end < whole && continues(end)))) { --end; }
  return end;
}

void CodeRibbon::findAccesses(ImVec2 at) {
  if (state_.cursor.atStart() || !current_.statement.valid()) { return; }
  const recording::Recording& recording = state_.cursor.recording();
  const Program& program = *recording.program;
  for (const recording::AccessGroup& group : recording.accessesOf(state_.cursor.currentStep())) {
    const SourceRange& range = program.code[group.instruction].range;
    const auto same = [&](const RibbonAccess& access) { return access.range == range && access.store == group.store; };
    if (!range.valid() || range.line - 1 < first_ || range.line > end_ || std::ranges::any_of(accesses_, same)) {
      continue;
    }
    RibbonAccess access{group.object, group.store, range, {}, {}, 0};
    const int line = range.line - 1;
    const float top = at.y + pad_ + static_cast<float>(line - first_) * rowHeight_;
    const int lineEnd = static_cast<int>((*lines_)[static_cast<std::size_t>(line)].text.size());
    const int end = range.endLine == range.line ? range.endColumn - 1 : lineEnd;
    access.min = {x(line, range.column - 1), top};
    access.max = {x(line, end), top + rowHeight_};
    const recording::Footprint& footprint = state_.experiment->footprint;
    const Palette& colours = theme_.colours();
    const ImU32 other = group.object == footprint.output  ? colours.output
                        : group.object == footprint.input ? colours.interior
                                                          : colours.textDim;
    access.colour = colourOf(program.objects[group.object].name, other);
    if (access.max.x < at.x + size_.x) { accesses_.push_back(access); }
  }
  std::ranges::sort(accesses_, {}, [](const RibbonAccess& a) { return std::pair(a.range.line, a.range.column); });
}

}  // namespace haloscope::ui
