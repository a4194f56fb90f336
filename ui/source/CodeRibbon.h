#pragma once

#include <imgui.h>

#include <vector>

#include "state/AppState.h"
#include "ui/source/CurrentCode.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// An access of the current statement, and where its expression stands on the screen.
struct RibbonAccess {
  ObjectId object = kNone;
  bool store = false;
  SourceRange range;  ///< of the expression
  ImVec2 min, max;    ///< of its first row
  ImU32 colour = 0;   ///< of the array's name
};

/// The statement that the current step executed, with the lines around it, as written: what the stage needs of the
/// source.
class CodeRibbon {
 public:
  /// `most`: pixels that it may have. Of a statement that needs more, the first lines.
  CodeRibbon(AppState& state, const Theme& theme, ImVec2 most);

  /// Zero where there is nothing to show: before there is an experiment, or while the source itself is on screen.
  [[nodiscard]] ImVec2 size() const { return size_; }
  /// Of the tallest one.
  [[nodiscard]] static float mostHeight(const Theme& theme);
  /// Draws it with its upper left corner at `at`. A click shows the whole source.
  void draw(ImVec2 at);
  /// Of the statement that was drawn, in the order of its text.
  [[nodiscard]] const std::vector<RibbonAccess>& accesses() const { return accesses_; }

 private:
  void drawLine(int line, float top);
  /// Of a line that is too long, where "…" stands; else its length.
  [[nodiscard]] int lastByte(const CodeLine& line, int index) const;
  void findAccesses(ImVec2 at);
  [[nodiscard]] float x(int line, int byte) const;
  [[nodiscard]] ImU32 colourOf(std::string_view name, ImU32 other) const;
  [[nodiscard]] float textLeft() const { return at_.x + gutter_; }

  AppState& state_;
  const Theme& theme_;
  NameColours names_;
  CurrentCode current_;
  const std::vector<CodeLine>* lines_ = nullptr;
  int first_ = 0, end_ = 0;  ///< lines shown, from 0
  int indent_ = 0;           ///< columns that all of them begin with
  float letters_ = 1;        ///< their size, by the usual one: long lines have smaller ones
  float rowHeight_ = 0, charWidth_ = 0, gutter_ = 0, pad_ = 0;
  ImVec2 size_{}, at_{};
  std::vector<RibbonAccess> accesses_;
};

}  // namespace haloscope::ui
