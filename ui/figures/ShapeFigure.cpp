#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "figures/StencilShape.h"
#include "language/Text.h"
#include "state/Places.h"
#include "ui/figures/FigureDrawings.h"
#include "ui/figures/FigureText.h"
#include "ui/widgets/LabelPlacer.h"
#include "ui/widgets/Widgets.h"

/// The points that contribute to one output, their offsets and their coefficients.
namespace haloscope::ui {

namespace {

using figures::OtherPoint;
using figures::ShapePoint;
using figures::StencilShape;
using recording::GridPoint;

constexpr std::size_t kMostItems = 400;  ///< further points are drawn but not reachable with Tab
constexpr float kLongestStep = 150;      ///< between neighbouring points, at scale 1
constexpr float kLongestStep3D = 210;    ///< ... where a point is a cube with much room around it
constexpr float kLargeStep = 110;        ///< from which coefficients are in larger letters

/// Screen positions of grid points: a row, a sheet seen from above, or a box seen from a corner.
class Projection {
 public:
  Projection(const StencilShape& shape, const Theme& theme, ImVec2 min, ImVec2 max) : rank_(shape.rank()) {
    ImVec2 low{0, 0}, high{0, 0};
    for (const float z : {-before(shape, 0), after(shape, 0)}) {
      for (const float y : {-before(shape, 1), after(shape, 1)}) {
        for (const float x : {-before(shape, 2), after(shape, 2)}) {
          const ImVec2 at = unit(z, y, x);
          low = {std::min(low.x, at.x), std::min(low.y, at.y)};
          high = {std::max(high.x, at.x), std::max(high.y, at.y)};
        }
      }
    }
    const float room = rank_ == 3 ? 0.45F : 0.5F;  // half a cell, or a cube and its name, on every side
    const ImVec2 wide{high.x - low.x + 2 * room, high.y - low.y + 2 * room};
    step_ = std::min(
        {(max.x - min.x) / wide.x, (max.y - min.y) / wide.y, theme.px(rank_ == 3 ? kLongestStep3D : kLongestStep)});
    if (rank_ < 3) { step_ = std::max(1.0F, std::floor(step_)); }
    origin_ = {(min.x + max.x) / 2 - step_ * (low.x + high.x) / 2, (min.y + max.y) / 2 - step_ * (low.y + high.y) / 2};
  }

  [[nodiscard]] ImVec2 at(const GridPoint& point) const {
    const ImVec2 one = unit(static_cast<float>(point.z), static_cast<float>(point.y), static_cast<float>(point.x));
    return {origin_.x + one.x * step_, origin_.y + one.y * step_};
  }
  [[nodiscard]] ImVec2 unit(float z, float y, float x) const {
    if (rank_ < 3) { return {x, y}; }
    return {0.94F * x - 0.44F * y, 0.20F * x + 0.48F * y - 0.92F * z};
  }
  [[nodiscard]] float step() const { return step_; }
  [[nodiscard]] std::size_t rank() const { return rank_; }
  /// Half the edge of a point's mark.
  [[nodiscard]] float half() const { return rank_ == 3 ? step_ * 0.15F : step_ * 0.46F; }

 private:
  static float before(const StencilShape& shape, std::size_t axis) { return static_cast<float>(shape.before[axis]); }
  static float after(const StencilShape& shape, std::size_t axis) { return static_cast<float>(shape.after[axis]); }

  std::size_t rank_;
  float step_ = 1;
  ImVec2 origin_;
};

/// All points of the box around the shape, from the farthest to the nearest.
std::vector<GridPoint> boxOf(const StencilShape& shape) {
  std::vector<GridPoint> box;
  for (int z = -shape.before[0]; z <= shape.after[0]; ++z) {
    for (int y = -shape.before[1]; y <= shape.after[1]; ++y) {
      for (int x = -shape.before[2]; x <= shape.after[2]; ++x) { box.push_back({z, y, x}); }
    }
  }
  return box;
}

std::string coefficientText(const StencilShape& shape, const std::string& coefficient, double weight) {
  if (!coefficient.empty()) { return coefficient; }
  return shape.linear ? fmt::format("{:.4g}", weight) : std::string();
}

/// The colour of a point that is read with coefficient 0.
ImU32 zeroColour(const Theme& theme) {
  return Theme::mixed(theme.colours().interior, theme.colours().background, 0.68F);
}

class ShapePicture {
 public:
  ShapePicture(const StencilShape& shape, const Theme& theme, ImVec2 min, ImVec2 max)
      : shape_(shape),
        theme_(theme),
        min_(min),
        max_(max),
        projection_(shape, theme, min, {max.x, max.y - theme.px(roomOfAxes(shape.rank()))}) {}

  void draw() {
    const std::vector<GridPoint> box = boxOf(shape_);
    if (projection_.rank() == 3) { drawFrame(); }
    for (const GridPoint& at : box) { drawPlace(at); }
    drawLabels(box);
    drawAxes();
    askPoints(box);
  }

 private:
  /// The axis arrows: outside a sheet, next to a box.
  static float roomOfAxes(std::size_t rank) { return rank == 3 ? 0.0F : rank == 2 ? 52.0F : 24.0F; }

  [[nodiscard]] const OtherPoint* otherAt(const GridPoint& at) const {
    const auto found = std::ranges::find(shape_.others, at, &OtherPoint::offset);
    return found != shape_.others.end() ? &*found : nullptr;
  }

  void line(const GridPoint& from, const GridPoint& to, ImU32 colour, float width) const {
    ImGui::GetWindowDrawList()->AddLine(projection_.at(from), projection_.at(to), colour,
                                        std::max(1.0F, theme_.px(width)));
  }

  /// The edges of the box, and the lines through its centre.
  void drawFrame() const {
    const GridPoint low{-shape_.before[0], -shape_.before[1], -shape_.before[2]};
    const GridPoint high{shape_.after[0], shape_.after[1], shape_.after[2]};
    const ImU32 faint = theme_.faded(theme_.colours().textDim, 0.28F);
    for (const std::int64_t z : {low.z, high.z}) {
      for (const std::int64_t y : {low.y, high.y}) { line({z, y, low.x}, {z, y, high.x}, faint, 1); }
      for (const std::int64_t x : {low.x, high.x}) { line({z, low.y, x}, {z, high.y, x}, faint, 1); }
    }
    for (const std::int64_t y : {low.y, high.y}) {
      for (const std::int64_t x : {low.x, high.x}) { line({low.z, y, x}, {high.z, y, x}, faint, 1); }
    }
    const ImU32 through = theme_.faded(theme_.colours().interior, 0.55F);
    line({low.z, 0, 0}, {high.z, 0, 0}, through, 1.5F);
    line({0, low.y, 0}, {0, high.y, 0}, through, 1.5F);
    line({0, 0, low.x}, {0, 0, high.x}, through, 1.5F);
  }

  [[nodiscard]] ImU32 fillOf(const ShapePoint& point) const {
    return shape_.isZero(point) ? zeroColour(theme_) : theme_.colours().interior;
  }

  void drawPlace(const GridPoint& at) const {
    const bool centre = at == GridPoint{};
    const ShapePoint* point = shape_.at(at);
    const Palette& colours = theme_.colours();
    if (projection_.rank() == 3) {
      if (point != nullptr) {
        drawCube(at, fillOf(*point));
      } else if (!centre) {
        ImGui::GetWindowDrawList()->AddCircleFilled(projection_.at(at), std::max(1.0F, theme_.px(1.5F)),
                                                    theme_.faded(colours.textDim, 0.5F));
      }
    } else {
      const auto [low, high] = square(at);
      CellLook look;
      look.fill = point != nullptr ? fillOf(*point) : theme_.faded(colours.border, 0.45F);
      drawCell(ImGui::GetWindowDrawList(), theme_, low, high, look);
    }
    if (otherAt(at) != nullptr) { drawMark(at, colours.series, 0.55F); }
    if (centre) { drawMark(at, colours.output, 1.0F); }
  }

  [[nodiscard]] std::pair<ImVec2, ImVec2> square(const GridPoint& at) const {
    const ImVec2 middle = projection_.at(at);
    const float half = projection_.half();
    return {{middle.x - half, middle.y - half}, {middle.x + half, middle.y + half}};
  }

  /// An outline around a point, or a smaller one inside it.
  void drawMark(const GridPoint& at, ImU32 colour, float share) const {
    auto [low, high] = square(at);
    const ImVec2 middle = projection_.at(at);
    const float half = projection_.rank() == 3 ? projection_.half() * 1.75F * share : projection_.half() * share;
    low = {middle.x - half, middle.y - half};
    high = {middle.x + half, middle.y + half};
    ImGui::GetWindowDrawList()->AddRect(low, high, colour, theme_.px(2), std::max(2.0F, theme_.px(2.5F)));
  }

  void drawCube(const GridPoint& at, ImU32 colour) const {
    const ImVec2 middle = projection_.at(at);
    const float edge = projection_.half() / projection_.step();
    const auto corner = [&](float z, float y, float x) {
      const ImVec2 one = projection_.unit(z * edge, y * edge, x * edge);
      return ImVec2(middle.x + one.x * projection_.step(), middle.y + one.y * projection_.step());
    };
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImU32 dark = theme_.light() ? IM_COL32(0, 0, 0, 255) : theme_.colours().background;
    const ImVec2 top[] = {corner(1, -1, -1), corner(1, -1, 1), corner(1, 1, 1), corner(1, 1, -1)};
    const ImVec2 front[] = {corner(1, 1, -1), corner(1, 1, 1), corner(-1, 1, 1), corner(-1, 1, -1)};
    const ImVec2 side[] = {corner(1, 1, 1), corner(1, -1, 1), corner(-1, -1, 1), corner(-1, 1, 1)};
    list->AddConvexPolyFilled(front, 4, Theme::mixed(colour, dark, 0.22F));
    list->AddConvexPolyFilled(side, 4, Theme::mixed(colour, dark, 0.45F));
    list->AddConvexPolyFilled(top, 4, Theme::mixed(colour, IM_COL32_WHITE, 0.22F));
  }

  /// Coefficients, where they fit: inside the cells, or next to the cubes.
  void drawLabels(const std::vector<GridPoint>& box) const {
    const bool large = projection_.step() > theme_.px(kLargeStep);
    const FontScope font(theme_, Face::Mono, large ? TextSize::Body : TextSize::Small);
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float height = ImGui::GetTextLineHeight();
    if (projection_.rank() < 3) {
      const float room = projection_.half() * 2 - theme_.px(4);
      for (const ShapePoint& point : shape_.points) {
        const std::string text = coefficientText(shape_, point.coefficient, point.weight);
        const ImVec2 at = projection_.at(point.offset);
        const float width = textWidth(text);
        const ImU32 colour = theme_.textOn(fillOf(point));
        if (width <= room && height <= room) {
          textAt(list, {at.x - width / 2, at.y - height / 2}, colour, text);
          continue;
        }
        // The array's name above its indices, if both lines fit.
        const std::size_t bracket = text.find('[');
        if (bracket == std::string::npos || 2 * height > room) { continue; }
        const std::string name = text.substr(0, bracket);
        const std::string index = text.substr(bracket);
        if (std::max(textWidth(name), textWidth(index)) > room) { continue; }
        textAt(list, {at.x - textWidth(name) / 2, at.y - height}, colour, name);
        textAt(list, {at.x - textWidth(index) / 2, at.y}, colour, index);
      }
      return;
    }
    if (projection_.step() < theme_.px(30)) { return; }
    LabelPlacer placer(min_, max_);
    for (const GridPoint& at : box) {
      if (shape_.at(at) == nullptr && !(at == GridPoint{})) { continue; }
      const float half = projection_.half() * (at == GridPoint{} ? 1.75F : 1.3F);
      const ImVec2 middle = projection_.at(at);
      placer.block({middle.x - half, middle.y - half}, {middle.x + half, middle.y + half});
    }
    std::vector<ShapePoint> points = shape_.points;
    std::ranges::stable_partition(points, [&](const ShapePoint& point) { return !shape_.isZero(point); });
    for (const ShapePoint& point : points) {
      const std::string text = coefficientText(shape_, point.coefficient, point.weight);
      if (text.empty()) { continue; }
      const ImVec2 middle = projection_.at(point.offset);
      const float half = projection_.half() * (point.offset == GridPoint{} ? 1.9F : 1.45F);
      const ImVec2 size{textWidth(text), height};
      const ImVec2 places[] = {{middle.x + half, middle.y - half - height * 0.5F},
                               {middle.x + half, middle.y},
                               {middle.x - size.x / 2, middle.y - half - height},
                               {middle.x - half - size.x, middle.y - half - height * 0.5F},
                               {middle.x - size.x / 2, middle.y + half}};
      for (const ImVec2& at : places) {
        if (!placer.take(at, size)) { continue; }
        textAt(list, at, shape_.isZero(point) ? theme_.colours().textDim : theme_.colours().text, text);
        break;
      }
    }
  }

  void drawAxes() const {
    struct NamedAxis {
      ImVec2 along;
      const char* name;
    };
    std::vector<NamedAxis> axes = {{projection_.unit(0, 0, 1), tr("x: next in memory")}};
    if (projection_.rank() > 1) { axes.push_back({projection_.unit(0, 1, 0), "y"}); }
    if (projection_.rank() > 2) { axes.push_back({projection_.unit(1, 0, 0), "z"}); }
    const FontScope font(theme_, Face::Sans, TextSize::Small);
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float length = theme_.px(26);
    const float height = ImGui::GetTextLineHeight();
    const ImVec2 from{min_.x + theme_.px(projection_.rank() == 3 ? 34 : 14),
                      max_.y - theme_.px(projection_.rank() == 1 ? 12 : 40)};
    for (const NamedAxis& axis : axes) {
      const ImVec2 to{from.x + axis.along.x * length, from.y + axis.along.y * length};
      const bool fastest = &axis == axes.data();
      const ImU32 colour = fastest ? theme_.colours().text : theme_.colours().textDim;
      list->AddLine(from, to, colour, std::max(1.0F, theme_.px(fastest ? 1.75F : 1.25F)));
      list->AddCircleFilled(to, theme_.px(2.5F), colour);
      const bool right = axis.along.x > 0.1F;
      const bool up = axis.along.y < -0.5F;
      const ImVec2 at = right ? ImVec2(to.x + theme_.px(6), to.y - height / 2)
                        : up  ? ImVec2(to.x - textWidth(axis.name) / 2, to.y - height - theme_.px(3))
                              : ImVec2(to.x - textWidth(axis.name) - theme_.px(5), to.y - height / 2 + theme_.px(3));
      textAt(list, at, colour, axis.name);
    }
  }

  /// Every point is an item with a tooltip, reachable by mouse and Tab.
  void askPoints(const std::vector<GridPoint>& box) const {
    const float half = projection_.rank() == 3 ? projection_.half() * 1.3F : projection_.half();
    const bool nav = shape_.points.size() <= kMostItems;
    for (auto at = box.rbegin(); at != box.rend(); ++at) {  // nearest first: it is on top
      const bool named = shape_.at(*at) != nullptr || otherAt(*at) != nullptr || *at == GridPoint{};
      if (!named) { continue; }
      const ImVec2 middle = projection_.at(*at);
      ImGui::SetCursorScreenPos({middle.x - half, middle.y - half});
      ImGui::PushID(static_cast<int>(at - box.rbegin()));
      ImGui::InvisibleButton("point", {2 * half, 2 * half}, nav ? ImGuiButtonFlags_EnableNav : ImGuiButtonFlags_None);
      if (lastItemAsked()) { drawTip(*at); }
      ImGui::PopID();
    }
  }

  void drawTip(const GridPoint& at) const {
    const Tooltip tip(theme_);
    const std::size_t rank = shape_.rank();
    const ShapePoint* point = shape_.at(at);
    tip.title(figures::pointName(shape_.input, rank, at), point != nullptr ? theme_.colours().interior : 0);
    if (at == GridPoint{}) {
      tip.row(tr("computes"), figures::pointName(shape_.output, rank, at), theme_.colours().output);
    }
    if (point == nullptr) {
      tip.note(at == GridPoint{} ? tr("The computed point; its own value is not read.") : tr("Not read."));
    } else {
      tip.row(tr("offset"), pointText(at, rank));
      if (!point->coefficient.empty()) { tip.row(tr("coefficient"), point->coefficient); }
      if (shape_.linear) { tip.row(tr("value"), fmt::format("{:.9g}", point->weight)); }
    }
    for (const OtherPoint& other : shape_.others) {
      if (!(other.offset == at)) { continue; }
      tip.row(tr("also read"), figures::pointName(other.array, rank, at), theme_.colours().series);
      if (shape_.linear) {
        tip.row(tr("times"), other.coefficient.empty() ? fmt::format("{:.9g}", other.weight) : other.coefficient);
      }
    }
  }

  const StencilShape& shape_;
  const Theme& theme_;
  ImVec2 min_, max_;
  Projection projection_;
};

}  // namespace

void drawShapeFigure(AppState& state, const Theme& theme) {
  const Palette& colours = theme.colours();
  const FoundShape& found = state.figures.shape;
  if (found.experiment == nullptr || found.experiment != state.experiment) {
    if (found.shape == nullptr) {
      figureSentence(theme, colours.textDim,
                     state.experiment == nullptr && !state.computing ? tr("No kernel has been executed yet.")
                                                                     : tr("Tracing outputs back to their operands …"));
    }
    if (found.experiment == nullptr || found.shape == nullptr) { return; }
  }
  if (found.shape == nullptr) {
    figureSentence(theme, colours.text,
                   trf("The kernel could not be executed again to trace its outputs. {}", found.problem));
    return;
  }
  const StencilShape& shape = *found.shape;
  figureTitle(theme, title(shape));
  if (!shape.reason.empty()) {
    figureSentence(theme, colours.text, shape.reason);
    return;
  }
  for (const std::string& note : notes(shape)) { figureSentence(theme, colours.textDim, note); }
  std::vector<LegendEntry> entries = {{colours.interior, tr("point read")},
                                      {colours.output, tr("computed point"), Swatch::Outlined}};
  if (shape.zeros() > 0) { entries.push_back({zeroColour(theme), tr("read, coefficient 0")}); }
  if (!shape.others.empty()) { entries.push_back({colours.series, tr("read from another array"), Swatch::Outlined}); }
  legend(theme, entries);
  const ImVec2 min = ImGui::GetCursorScreenPos();
  const ImVec2 room = ImGui::GetContentRegionAvail();
  if (room.x < theme.px(60) || room.y < theme.px(40)) { return; }
  const float margin = theme.px(8);
  ShapePicture(shape, theme, {min.x + margin, min.y + margin}, {min.x + room.x - margin, min.y + room.y - margin})
      .draw();
  ImGui::SetCursorScreenPos({min.x, min.y + room.y - 1});
  ImGui::Dummy({room.x, 1});
}

}  // namespace haloscope::ui
