#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "worksheet/Flow.h"
#include "worksheet/Ink.h"

namespace haloscope::worksheet {

/// What is written into a blank, in the solutions.
inline constexpr Colour kAnswer{0.04, 0.22, 0.58};

/// The sizes of a sheet's texts.
inline constexpr double kBody = 9, kSmall = 7.5, kCode = 8, kHeading = 12.5;
/// From one line to write on to the next.
inline constexpr double kRuled = mm(7.5);

/// Collects the pieces of a sheet. What depends on `solutions` takes the same room with and without them.
class SheetWriter {
 public:
  SheetWriter(const Fonts& fonts, double width, bool solutions) : fonts_(fonts), width_(width), solutions_(solutions) {}

  [[nodiscard]] const Fonts& fonts() const { return fonts_; }
  [[nodiscard]] double width() const { return width_; }
  [[nodiscard]] bool solutions() const { return solutions_; }
  [[nodiscard]] Pieces& pieces() { return pieces_; }

  /// From here on pieces belong to the next chapter, which begins a page.
  void beginChapter(const std::string& title);
  void add(Piece piece);
  /// A part of the chapter, with an entry in the table of contents.
  void heading(const std::string& title);
  void paragraph(const std::vector<Run>& runs, double before = 4, bool keepWithNext = false);
  void sentence(const std::string& text, const Style& style = {}, double before = 4, bool keepWithNext = false) {
    paragraph(sentenceRuns(text, style), before, keepWithNext);
  }
  /// At least `lines` to write on or, in the solutions, the answer; indented by `indent`.
  void answer(const std::vector<Run>& answer, std::size_t lines, double indent = 0, bool keepWithNext = false);

 private:
  const Fonts& fonts_;
  double width_;
  bool solutions_;
  Pieces pieces_;
  std::size_t chapter_ = 0;
  bool newPage_ = false;
  std::string bookmark_;
};

/// A place to fill in on a line: a rule, in the solutions with the answer on it. `width`: 0 fits the answer, and
/// a hand's writing.
class Gap {
 public:
  Gap(const SheetWriter& writer, const std::string& answer, double size = kBody, double width = 0);

  [[nodiscard]] double width() const { return width_; }
  /// `baseline`: of the line of text that it is part of.
  void draw(const Pen& pen, double x, double baseline) const;

 private:
  Text answer_;
  double width_;
  bool shown_;
};

}  // namespace haloscope::worksheet
