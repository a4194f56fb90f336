#pragma once

#include <imgui.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lessons/FormulaLayout.h"
#include "lessons/Lesson.h"
#include "lessons/LessonText.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// How a run of text is set.
struct TextLook {
  Face face = Face::Sans;
  TextSize size = TextSize::Body;
  ImU32 colour = 0;
  float leading = 1.4F;  ///< from line to line, as a multiple of the size
};

/// Draws spans of a lesson as wrapped lines: words, code, formulas, values and links, each line on one baseline.
class PageText {
 public:
  /// `lesson` must outlive it.
  PageText(const Theme& theme, const lessons::Lesson& lesson, lessons::ComputedValue values,
           std::optional<std::size_t> followed = std::nullopt)
      : theme_(theme), lesson_(lesson), values_(std::move(values)), followed_(followed) {}

  /// At the cursor, as wide as `width`; the cursor is below it afterwards. Returns the link that was clicked on.
  std::optional<std::size_t> draw(const lessons::Spans& spans, float width, const TextLook& look);
  /// A formula on lines of its own, in the middle of `width`.
  void drawDisplay(const std::string& tex, float width);

  /// The width that the spans take in one line.
  [[nodiscard]] float widthOf(const lessons::Spans& spans, const TextLook& look);

 private:
  struct Piece;
  struct Run;

  [[nodiscard]] std::vector<Piece> piecesOf(const lessons::Spans& spans, const TextLook& look);
  void addWords(std::vector<Piece>& pieces, const lessons::Span& span, const std::string& text, const TextLook& look,
                Face face);
  void addFormula(std::vector<Piece>& pieces, const lessons::Span& span, const TextLook& look);
  void drawLine(const std::vector<Piece>& pieces, std::size_t begin, std::size_t end, ImVec2 at, float baseline,
                float height, std::optional<std::size_t>& clicked);
  void linkTooltip(const lessons::Link& link) const;
  [[nodiscard]] std::string withValues(const std::string& tex) const;
  /// A formula that is as high as with any number, and knows how wide it may become.
  [[nodiscard]] std::vector<lessons::FormulaPicture> layWithRoom(const std::string& tex, float size,
                                                                 bool display) const;
  /// Room for the longest text of a value, whose pieces begin at `from`.
  void giveRoom(std::vector<Piece>& pieces, std::size_t from, std::size_t value);

  const Theme& theme_;
  const lessons::Lesson& lesson_;
  lessons::ComputedValue values_;
  std::optional<std::size_t> followed_;    ///< the link that the window is at
  std::map<std::size_t, int> linkRuns_{};  ///< by link: its fragments drawn so far, which need names of their own
};

}  // namespace haloscope::ui
