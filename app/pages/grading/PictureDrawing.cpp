#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "grading/Html.h"
#include "language/Text.h"
#include "recording/GridShape.h"
#include "text/Html.h"

/// The picture of a finding as SVG. Its colours come from the page.
namespace haloscope::grading {

namespace {

constexpr int kTop = 44, kGap = 90, kLeft = 34;
constexpr std::int64_t kRows = 12, kColumns = 16;

struct Place {
  double x = 0, y = 0;
};

/// The part of a table of cells that is drawn: rows and columns from `first` on.
struct Cells {
  std::int64_t firstRow = 0, firstColumn = 0, rows = 1, columns = 1;
  int size = 18;

  [[nodiscard]] bool has(std::int64_t row, std::int64_t column) const {
    return row >= firstRow && row < firstRow + rows && column >= firstColumn && column < firstColumn + columns;
  }
  [[nodiscard]] Place corner(int left, std::int64_t row, std::int64_t column) const {
    return {static_cast<double>(left) + static_cast<double>((column - firstColumn) * size),
            static_cast<double>(kTop) + static_cast<double>((row - firstRow) * size)};
  }
  [[nodiscard]] int width() const { return static_cast<int>(columns) * size; }
  [[nodiscard]] int height() const { return static_cast<int>(rows) * size; }
};

/// The extents of what a picture shows of an array, each at least 1. None if it has more elements than can be counted:
/// there is no such array.
std::optional<recording::GridShape> shapeOf(std::vector<std::int64_t> extents) {
  constexpr std::size_t kMostAxes = 8;
  // Places beyond the last element can be drawn, too.
  constexpr std::int64_t kMostElements = std::numeric_limits<std::int64_t>::max() / 4;
  if (extents.size() > kMostAxes) { return std::nullopt; }
  std::int64_t elements = 1;
  for (std::int64_t& extent : extents) {
    extent = std::max<std::int64_t>(1, extent);
    if (extent > kMostElements / elements) { return std::nullopt; }
    elements *= extent;
  }
  return recording::GridShape(extents);
}

std::int64_t floorDivide(std::int64_t a, std::int64_t b) {
  const std::int64_t quotient = a / b;
  return a % b < 0 ? quotient - 1 : quotient;
}

/// `count` of all, around `at`, which may lie outside: then the window reaches there.
std::pair<std::int64_t, std::int64_t> windowAround(std::int64_t at, std::int64_t all, std::int64_t most) {
  const std::int64_t low = std::min<std::int64_t>(0, at);
  const std::int64_t high = std::max(all, at + 1);
  const std::int64_t count = std::min(high - low, most);
  return {std::clamp(at - count / 2, low, high - count), count};
}

std::string rectangle(const Place& at, int size, const char* style, const std::string& title = {}) {
  return fmt::format("<rect class=\"{}\" x=\"{:.0f}\" y=\"{:.0f}\" width=\"{}\" height=\"{}\" rx=\"2\">{}</rect>",
                     style, at.x, at.y, size, size, title.empty() ? "" : "<title>" + escaped(title) + "</title>");
}

std::string label(double x, double y, const std::string& text, const char* style = "", const char* anchor = "start") {
  return fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"{}\"{}>{}</text>", x, y, anchor,
                     *style == '\0' ? "" : fmt::format(" class=\"{}\"", style), escaped(text));
}

/// The cells of a window that lie inside, as one area with lines between them.
std::string table(const Cells& cells, int left, std::int64_t height, std::int64_t width) {
  const std::int64_t row = std::max<std::int64_t>(0, cells.firstRow);
  const std::int64_t column = std::max<std::int64_t>(0, cells.firstColumn);
  const std::int64_t rows = std::min(height, cells.firstRow + cells.rows) - row;
  const std::int64_t columns = std::min(width, cells.firstColumn + cells.columns) - column;
  if (rows <= 0 || columns <= 0) { return {}; }
  const Place at = cells.corner(left, row, column);
  const std::int64_t across = columns * cells.size;
  const std::int64_t down = rows * cells.size;
  std::string lines;
  for (std::int64_t i = 1; i < rows; ++i) {
    lines += fmt::format("M{:.0f} {:.0f}h{}", at.x, at.y + static_cast<double>(i * cells.size), across);
  }
  for (std::int64_t i = 1; i < columns; ++i) {
    lines += fmt::format("M{:.0f} {:.0f}v{}", at.x + static_cast<double>(i * cells.size), at.y, down);
  }
  return fmt::format(
      "<rect class=\"cell\" x=\"{:.0f}\" y=\"{:.0f}\" width=\"{}\" height=\"{}\" rx=\"2\"/><path class=\"grid\" "
      "d=\"{}\"/>",
      at.x, at.y, across, down, lines);
}

/// Indices of the first and the last row and column, and of the one in question.
std::string axes(const Cells& cells, int left, std::int64_t row, std::int64_t column) {
  std::string svg;
  for (const std::int64_t one : {cells.firstColumn, column, cells.firstColumn + cells.columns - 1}) {
    const bool near = one != column && std::abs(one - column) < 3;
    if (near || !cells.has(cells.firstRow, one)) { continue; }
    svg += label(cells.corner(left, cells.firstRow, one).x + cells.size / 2.0, kTop - 5, std::to_string(one), "",
                 "middle");
  }
  if (cells.rows == 1 && row == 0) { return svg; }
  for (const std::int64_t one : {cells.firstRow, row, cells.firstRow + cells.rows - 1}) {
    const bool near = one != row && std::abs(one - row) < 1;
    if (near || !cells.has(one, cells.firstColumn)) { continue; }
    svg += label(left - 5, cells.corner(left, one, cells.firstColumn).y + cells.size / 2.0 + 4, std::to_string(one), "",
                 "end");
  }
  return svg;
}

class Drawing {
 public:
  explicit Drawing(const Picture& picture) : picture_(picture) {}

  std::string text() {
    if (!picture_.threads.empty()) { drawThreads(); }
    if (picture_.array) {
      if (const auto shape = shapeOf(picture_.array->extents)) { drawArray(*picture_.array, *shape); }
    }
    for (std::size_t i = 0; i < from_.size() && to_; ++i) {
      const double middle = (from_[i].x + to_->x) / 2;
      const double bend = from_.size() < 2 ? 0 : i == 0 ? -24 : 24;  // of two, each has its own way
      ways_ += fmt::format("<path class=\"way {}\" d=\"M{:.0f} {:.0f}C{:.0f} {:.0f} {:.0f} {:.0f} {:.0f} {:.0f}\"/>",
                           i == 0 ? "first" : "second", from_[i].x, from_[i].y, middle, from_[i].y + bend, middle,
                           to_->y + bend, to_->x, to_->y);
    }
    const int width = std::max(right_ + 12, 320);
    return fmt::format(
        "<svg role=\"img\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" xmlns=\"http://www.w3.org/2000/svg\">"
        "<title>{2}</title>{3}{4}</svg>",
        width, bottom_ + 10, escaped(picture_.caption), ways_, svg_);
  }

 private:
  /// The threads of the block that the first one is in; one layer of them.
  void drawThreads() {
    const Picture::Thread& first = picture_.threads.front();
    const auto extent = [&](std::size_t axis) {
      return static_cast<std::int64_t>(std::max(1U, picture_.block.at(axis)));
    };
    Cells cells;
    std::tie(cells.firstColumn, cells.columns) = windowAround(first.thread[0], extent(0), kColumns);
    std::tie(cells.firstRow, cells.rows) = windowAround(first.thread[1], extent(1), kRows);
    cells.size = cells.columns > 8 ? 17 : 26;
    const int left = right_ + kLeft;
    const std::string layer = picture_.block[2] > 1 ? trf(", z = {}", first.thread[2]) : std::string();
    svg_ += label(left, 16, trf("threads of block ({},{},{}){}", first.block[0], first.block[1], first.block[2], layer),
                  "name");
    svg_ += table(cells, left, extent(1), extent(0));
    svg_ += axes(cells, left, first.thread[1], first.thread[0]);
    bottom_ = std::max(bottom_, kTop + cells.height());
    for (std::size_t i = 0; i < std::min<std::size_t>(picture_.threads.size(), 2); ++i) {
      const Picture::Thread& one = picture_.threads[i];
      const char* const style = i == 0 ? "one" : "two";
      const bool same = one.block == first.block && one.thread[2] == first.thread[2];
      if (same && cells.has(one.thread[1], one.thread[0])) {
        const Place at = cells.corner(left, one.thread[1], one.thread[0]);
        svg_ += rectangle(at, cells.size, style);
        from_.push_back({at.x + cells.size, at.y + cells.size / 2.0});
      }
      constexpr int kSample = 11;
      svg_ += rectangle({static_cast<double>(left), static_cast<double>(bottom_ + 12)}, kSample, style);
      std::string name = trf("thread ({},{},{})", one.thread[0], one.thread[1], one.thread[2]);
      if (one.block != first.block) { name += trf(" of block ({},{},{})", one.block[0], one.block[1], one.block[2]); }
      svg_ += label(left + kSample + 6, bottom_ + 22, name);
      bottom_ += 20;
    }
    right_ = std::max(left + cells.width(), left + 210);
  }

  /// The rows and columns around the element; of a 3D array its plane. Further axes count as planes.
  void drawArray(const Picture::Array& array, const recording::GridShape& shape) {
    const std::int64_t width = shape.columns(), height = shape.rows(), planes = shape.planes();
    // An index far outside needs no exact place.
    constexpr std::int64_t kFarthest = std::numeric_limits<std::int64_t>::max() / 4;
    const std::int64_t index = std::clamp(array.index, -kFarthest, kFarthest);
    const bool strip = height == 1 && planes == 1;
    // Beyond the end of a strip there is a next cell; beyond that of a table a next row.
    std::int64_t column = strip ? index : index - floorDivide(index, width) * width;
    std::int64_t row = strip ? 0 : floorDivide(index, width);
    const std::int64_t plane = strip ? 0 : std::clamp<std::int64_t>(floorDivide(row, height), 0, planes - 1);
    row -= plane * height;
    constexpr std::int64_t kFar = 64;
    const bool far = row < -kFar || row > height + kFar || (strip && (column < -kFar || column > width + kFar));
    if (far) {  // too far away to be drawn: the nearest cell stands for it
      row = std::clamp<std::int64_t>(row, -1, height);
      column = std::clamp<std::int64_t>(column, -1, width);
    }
    Cells cells;
    std::tie(cells.firstColumn, cells.columns) = windowAround(column, width, kColumns);
    std::tie(cells.firstRow, cells.rows) = windowAround(row, height, kRows);
    cells.size = cells.columns > 8 ? 20 : 28;
    const int left = right_ == 0 ? kLeft : right_ + kGap - kLeft;
    std::string brackets;
    for (const std::int64_t one : array.extents) { brackets += fmt::format("[{}]", one); }
    const std::string inPlane = planes > 1 ? trf(", plane {}", plane) : std::string();
    svg_ += label(left, 16, fmt::format("{}{}, {}{}", array.name, brackets, array.space, inPlane), "name");
    svg_ += table(cells, left, height, width);
    for (std::int64_t y = cells.firstRow; y < cells.firstRow + cells.rows; ++y) {
      for (std::int64_t x = cells.firstColumn; x < cells.firstColumn + cells.columns; ++x) {
        const bool inside = y >= 0 && y < height && x >= 0 && x < width;
        const bool hit = y == row && x == column;
        const bool wrong = inside && std::ranges::binary_search(array.marked, shape.element({plane, y, x}));
        if (!hit && !wrong) { continue; }
        svg_ += rectangle(cells.corner(left, y, x), cells.size, hit ? "hit" : "wrong",
                          hit ? fmt::format("{}[{}]", array.name, array.index) : "");
      }
    }
    svg_ += axes(cells, left, row, column);
    const Place at = cells.corner(left, row, column);
    to_ = Place{at.x, at.y + cells.size / 2.0};
    right_ = std::max(left + cells.width(), left + 260);
    bottom_ = std::max(bottom_, kTop + cells.height());
    if (row < 0 || row >= height || column < 0 || column >= width) {
      svg_ += label(left, kTop + cells.height() + 16, trf("the marked cell is outside of {}", array.name));
      bottom_ = std::max(bottom_, kTop + cells.height() + 20);
    }
  }

  const Picture& picture_;
  std::string svg_, ways_;
  int right_ = 0, bottom_ = kTop;
  std::vector<Place> from_;
  std::optional<Place> to_;
};

}  // namespace

std::string drawn(const Picture& picture) { return Drawing(picture).text(); }

}  // namespace haloscope::grading
