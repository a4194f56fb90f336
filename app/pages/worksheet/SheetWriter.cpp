#include "worksheet/SheetWriter.h"

#include <algorithm>
#include <cmath>

namespace haloscope::worksheet {

void SheetWriter::beginChapter(const std::string& title) {
  ++chapter_;
  newPage_ = true;
  bookmark_ = title;
}

void SheetWriter::add(Piece piece) {
  piece.chapter = chapter_;
  if (newPage_) {
    piece.newPage = true;
    piece.bookmark = bookmark_;
    piece.level = 0;
    newPage_ = false;
  }
  pieces_.push_back(std::move(piece));
}

void SheetWriter::heading(const std::string& title) {
  const Text text(fonts_, title, {Face::Strong, kHeading});
  const double width = width_;
  Piece piece;
  piece.height = text.height() + 4;
  piece.before = 15;
  piece.keepWithNext = true;
  piece.bookmark = title;
  piece.level = 1;
  piece.draw = [text, width](const Pen& pen, double x, double y) {
    pen.text(text, x, y);
    pen.line(x, y + text.height() + 2, x + width, y + text.height() + 2, 0.7, kInk);
  };
  add(std::move(piece));
}

void SheetWriter::paragraph(const std::vector<Run>& runs, double before, bool keepWithNext) {
  const Text text(fonts_, runs, width_);
  Piece piece;
  piece.height = text.height();
  piece.before = before;
  piece.keepWithNext = keepWithNext;
  piece.draw = [text](const Pen& pen, double x, double y) { pen.text(text, x, y); };
  add(std::move(piece));
}

void SheetWriter::answer(const std::vector<Run>& answer, std::size_t lines, double indent, bool keepWithNext) {
  const Text text(fonts_, answer, width_ - indent - 8);
  const auto needed = static_cast<std::size_t>(std::ceil((text.height() + 4) / kRuled));
  const std::size_t count = std::max(lines, needed);
  const double width = width_;
  const bool solved = solutions_;
  Piece piece;
  piece.height = static_cast<double>(count) * kRuled + 2;
  piece.before = 2;
  piece.keepWithNext = keepWithNext;
  piece.draw = [=](const Pen& pen, double x, double y) {
    if (solved) {
      pen.fill(x + indent, y + 4, 1.6, text.height(), kAnswer);
      pen.text(text, x + indent + 8, y + 4);
      return;
    }
    for (std::size_t i = 1; i <= count; ++i) {
      const double at = y + static_cast<double>(i) * kRuled;
      pen.line(x + indent, at, x + width, at, 0.4, kRule);
    }
  };
  add(std::move(piece));
}

Gap::Gap(const SheetWriter& writer, const std::string& answer, double size, double width)
    : answer_(writer.fonts(), answer, {Face::MonoStrong, size, kAnswer}),
      width_(std::max({width, answer_.width() + 8, mm(11)})),
      shown_(writer.solutions()) {}

void Gap::draw(const Pen& pen, double x, double baseline) const {
  pen.line(x, baseline + 2.2, x + width_, baseline + 2.2, 0.5, kDim);
  if (shown_) { pen.text(answer_, x + 4, baseline - answer_.baseline()); }
}

}  // namespace haloscope::worksheet
