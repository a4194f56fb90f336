#include "ui/scene/SceneLabels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "language/Text.h"
#include "program/NumberText.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

namespace {

using render::SceneColour;
using render::SceneLabel;

/// How far along the plane's front edge a label hangs, from the outer corner, where there is room under it.
constexpr float kAlongEdge = 0.3F;
/// Distances of planes, in heights of their labels, between which labels move from the side of the corner to under the
/// edge.
constexpr float kTight = 1.8F, kRoomy = 2.8F;
/// Height by width of a picture that has room for labels at its sides.
constexpr float kWide = 0.72F;
/// The longest detail that a carrier has: what its space is reserved for.
constexpr const char* kLongestDetail = "registers, i = 000";

/// Of a face seen from its front: the least share that must be seen of it for words, their least height in pixels, and
/// their height by the face's.
constexpr float kLeastSeen = 0.2F, kLeastLetters = 9, kLettersOfFace = 0.78F;

/// Of a line's height, the least distance of the names of two rows.
constexpr float kLeastLeading = 0.85F;

/// ... and the most by which a row's name may lie above or below its row.
constexpr float kMostShift = 0.75F;

/// Pixels from a plane to the label below it, and from a row to its own.
constexpr float kBelowPlane = 4, kToRow = 6;
/// Pixels from a name to what is beside it.
constexpr float kBesideName = 6;

/// Pixels from a slot's edge to its label, across what the bench shows of itself.
constexpr float kBoardEdge = 14;

using Side = SceneLabel::Side;

/// Of a plane that has passed or is to come.
bool isFrame(const render::SceneBox& box) {
  return box.style == render::SceneStyle::Frame && box.colour == SceneColour::Frame;
}

/// A label with its place on the screen.
struct PlacedLabel {
  const SceneLabel* label;
  ImVec2 min, size;
};

class SceneLabelPlacer {
 public:
  /// `counter`: below the label that counts; empty: none.
  SceneLabelPlacer(const Theme& theme, const render::SceneProjection& projection, std::string counter, ImVec2 min,
                   ImVec2 max)
      : theme_(theme), projection_(projection), counter_(std::move(counter)), min_(min), max_(max) {}

  [[nodiscard]] std::vector<LabelPlace> places() const {
    std::vector<LabelPlace> places;
    for (const PlacedLabel& label : placed_) {
      places.push_back({label.min, {label.min.x + label.size.x, label.min.y + label.size.y}});
    }
    return places;
  }

  /// Whether the words of a face can be read: it is seen from its front, and not too much askew.
  [[nodiscard]] bool isLegible(const render::SceneFace& face) const {
    const Slant slant(*this, face);
    const float area = slant.along.x * slant.down.y - slant.along.y * slant.down.x;  // as seen, of one unit's square
    const float unit = projection_.pixelsPerUnit() / ImGui::GetIO().DisplayFramebufferScale.x;
    return slant.along.x > 0 && area > kLeastSeen * unit * unit &&
           face.height * std::hypot(slant.down.x, slant.down.y) > theme_.px(kLeastLetters);
  }

  /// A name, and what lies in its slot, on the front of the bench.
  void engrave(const SceneLabel& label, bool moving) const {
    const Slant slant(*this, *label.face);
    const std::string& held = moving && !label.heldBefore.empty() ? label.heldBefore : label.held;
    const FontScope mono(theme_, Face::Mono, TextSize::Body);
    const float height = label.face->height * std::hypot(slant.down.x, slant.down.y);
    const float across = label.face->length * std::hypot(slant.along.x, slant.along.y);
    const float font = ImGui::GetFontSize();
    const float room = textWidth(label.text) + (held.empty() ? 0 : textWidth(held) + font);
    const float scale = std::min(kLettersOfFace * height / font, across / room);
    const ImU32 name = engravedColour(theme_, label.colour);
    const float top = (height - font * scale) / 2;
    write(slant, 0, top, scale, name, label.text);
    if (!held.empty()) { write(slant, across - textWidth(held) * scale, top, scale, IM_COL32_WHITE, held); }
  }
  /// Words that fill the height of a face.
  void letter(const render::SceneLettering& lettering) const {
    if (!isLegible(lettering.face)) { return; }
    const Slant slant(*this, lettering.face);
    const FontScope strong(theme_, Face::SansStrong, TextSize::Body);
    const float height = lettering.face.height * std::hypot(slant.down.x, slant.down.y);
    const float across = lettering.face.length * std::hypot(slant.along.x, slant.along.y);
    const float scale = std::min(height / ImGui::GetFontSize(), across / textWidth(lettering.text));
    write(slant, 0, 0, scale, theme_.faded(theme_.colours().textDim, 0.8F), lettering.text);
  }

  void place(const SceneLabel& label) {
    const ImVec2 size = sizeOf(label);
    std::array<ImVec2, 4> corners;
    for (std::size_t i = 0; i < corners.size(); ++i) { corners[i] = onScreen(label.around[i]); }
    const auto byY = [](const ImVec2& a, const ImVec2& b) { return a.y < b.y; };
    const ImVec2 lowest = *std::max_element(corners.begin(), corners.end(), byY);
    ImVec2 at = label.side == Side::Below ? below(corners, size)
                : label.inside            ? alongEdge(label, corners, size)
                : label.row               ? besideRow(corners, size)
                                          : beside(label, corners, lowest, size);
    if (label.side == Side::Left && !label.inside) {
      at.x = std::min(at.x, besideOutlines(at.y, size.y) - theme_.px(6) - size.x);
    }
    placed_.push_back({&label,
                       {std::clamp(at.x, min_.x, std::max(min_.x, max_.x - size.x)),
                        std::clamp(at.y, min_.y, std::max(min_.y, max_.y - size.y))},
                       size});
  }

  /// The planes of the input and the outlines of those that have passed or are to come, which no label may cross.
  void avoid(const std::vector<render::SceneBox>& boxes) {
    std::map<float, std::pair<glm::vec3, glm::vec3>> planes;  // their lowest and highest corners, by height
    for (const render::SceneBox& box : boxes) {
      if (isFrame(box)) {
        addOutline(render::SceneModel::top(box, 0, 0));
      } else if (box.kind != render::SceneSource::Kind::None && box.kind != render::SceneSource::Kind::Output) {
        auto& [low, high] = planes.try_emplace(box.low.y, box.low, box.high).first->second;
        low = {std::min(low.x, box.low.x), low.y, std::min(low.z, box.low.z)};
        high = {std::max(high.x, box.high.x), std::max(high.y, box.high.y), std::max(high.z, box.high.z)};
      }
    }
    for (const auto& [height, plane] : planes) {
      const auto& [low, high] = plane;
      for (const float y : {low.y, high.y}) {
        addOutline({glm::vec3(low.x, y, low.z), glm::vec3(high.x, y, low.z), glm::vec3(high.x, y, high.z),
                    glm::vec3(low.x, y, high.z)});
      }
    }
  }

  /// Those of planes that a shifted picture has not left out.
  [[nodiscard]] std::vector<SceneLabel> inView(const std::vector<SceneLabel>& labels) const {
    std::vector<SceneLabel> seen;
    for (const SceneLabel& label : labels) {
      ImVec2 low = max_, high = min_;
      for (const glm::vec3& corner : label.around) {
        const ImVec2 at = onScreen(corner);
        low = {std::min(low.x, at.x), std::min(low.y, at.y)};
        high = {std::max(high.x, at.x), std::max(high.y, at.y)};
      }
      if (low.x < max_.x && low.y < max_.y && high.x > min_.x && high.y > min_.y) { seen.push_back(label); }
    }
    return seen;
  }

  /// The height of the tallest label against the distance of the planes that have one on the same side.
  void measure(const std::vector<SceneLabel>& labels) {
    float height = 0;
    for (const SceneLabel& label : labels) { height = std::max(height, sizeOf(label).y); }
    float distance = max_.y - min_.y;
    for (const SceneLabel& a : labels) {
      for (const SceneLabel& b : labels) {
        const float apart = onScreen(a.around[0]).y - onScreen(b.around[0]).y;
        if (!a.row && !b.row && a.side == b.side && apart > 1) { distance = std::min(distance, apart); }
      }
    }
    roominess_ = std::clamp((distance / std::max(height, 1.0F) - kTight) / (kRoomy - kTight), 0.0F, 1.0F);
  }

  /// Labels give way downwards, then upwards from the bottom.
  void separate() {
    std::stable_sort(placed_.begin(), placed_.end(),
                     [](const PlacedLabel& a, const PlacedLabel& b) { return a.min.y < b.min.y; });
    for (std::size_t i = 1; i < placed_.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) {
        if (overlap(placed_[k], placed_[i])) { placed_[i].min.y = placed_[k].min.y + placed_[k].size.y; }
      }
    }
    for (std::size_t i = placed_.size(); i-- > 0;) {
      PlacedLabel& label = placed_[i];
      label.min.y = std::min(label.min.y, max_.y - label.size.y);
      for (std::size_t k = i + 1; k < placed_.size(); ++k) {
        if (overlap(label, placed_[k])) { label.min.y = placed_[k].min.y - label.size.y; }
      }
    }
  }

  /// Rows keep their places if there is room between other rows and the names of planes, the current one in any case:
  /// the names of the arrays go below them.
  void placeRows(const std::vector<SceneLabel>& labels) {
    std::vector<PlacedLabel> others = std::exchange(placed_, {});
    std::vector<PlacedLabel> rows = spreadRows(labels);
    const bool spread = !rows.empty();
    for (const bool current : {true, false}) {
      for (const SceneLabel& label : labels) {
        if (spread || !label.row || label.current != current) { continue; }
        place(label);
        const PlacedLabel& row = placed_.back();
        const auto covers = [&](const PlacedLabel& other) { return other.label->text.empty() && overlap(other, row); };
        const auto crowds = [&](const PlacedLabel& other) { return overlap(other, row, kLeastLeading); };
        if (std::ranges::any_of(rows, crowds)) { continue; }
        if (current || std::ranges::none_of(others, covers)) { rows.push_back(row); }
      }
    }
    for (PlacedLabel& other : others) {
      for (const PlacedLabel& row : rows) {
        if (!other.label->text.empty() && overlap(row, other)) {
          other.min.y = std::min(row.min.y + row.size.y, max_.y - other.size.y);
        }
      }
    }
    placed_ = std::move(others);
    const std::vector<PlacedLabel> fixed = placed_;
    for (const PlacedLabel& row : rows) {
      const auto covers = [&](const PlacedLabel& label) { return overlap(label, row); };
      if (row.label->current || std::ranges::none_of(fixed, covers)) { placed_.push_back(row); }
    }
  }

  /// Labels over so many pixels of the lower left corner move up or aside, the shorter way if no name is there; rows
  /// that are in the way are left out.
  void keepOff(ImVec2 covered) {
    if (covered.x <= 0 || covered.y <= 0) { return; }
    const float right = min_.x + covered.x + theme_.px(2), top = max_.y - covered.y;
    for (PlacedLabel& label : placed_) {
      const float aside = right - label.min.x, up = label.min.y + label.size.y - top;
      if (aside <= 0 || up <= 0) { continue; }
      PlacedLabel above = label;
      above.min.y -= up;
      const auto meets = [&](const PlacedLabel& other) {
        return &other != &label && !other.label->row && overlap(other, above);
      };
      if (up < aside && std::ranges::none_of(placed_, meets)) {
        label = above;
      } else {
        label.min.x = right;
      }
    }
    std::vector<PlacedLabel> names;
    std::ranges::copy_if(placed_, std::back_inserter(names), [](const PlacedLabel& l) { return !l.label->row; });
    std::erase_if(placed_, [&](const PlacedLabel& row) {
      return row.label->row && std::ranges::any_of(names, [&](const auto& name) { return overlap(name, row); });
    });
  }

  void draw(bool moving) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    for (const PlacedLabel& placed : placed_) {
      const SceneLabel& label = *placed.label;
      const bool counts = label.counts && !counter_.empty();
      const std::string& detail = counts && isOneLine(label)         ? counter_
                                  : moving && !label.earlier.empty() ? label.earlier
                                                                     : label.detail;
      ImVec2 at = placed.min;
      if (isOneLine(label)) {
        const float room = placed.size.x - widthOfLine(label.text, detail);
        const FontScope font(theme_, Face::Mono, TextSize::Small);
        const float name = textWidth(label.text) + theme_.px(kBesideName);
        {
          const FontScope sans(theme_, Face::Sans, TextSize::Small);
          const ImU32 colour = counts ? theme_.colours().activeText : theme_.colours().textDim;
          rimmed(list, {at.x + room / 2 + name, at.y}, colour, detail);
        }
        rimmed(list, {at.x + room / 2, at.y}, sceneColour(theme_, label.colour), label.text);
      } else {
        if (!label.text.empty()) {
          const FontScope font(theme_, Face::Mono, TextSize::Small);
          line(list, at, placed, sceneColour(theme_, label.colour), label.text);
          at.y += ImGui::GetTextLineHeight();
        }
        const FontScope font(theme_, Face::Sans, TextSize::Small);
        const bool named = !label.text.empty() || label.colour == SceneColour::Text;
        line(list, at, placed, named ? theme_.colours().textDim : sceneColour(theme_, label.colour), detail);
      }
      const FontScope font(theme_, Face::Sans, TextSize::Small);
      if (!counts) { continue; }
      if (!isOneLine(label)) {  // else it is beside the name
        at.y += ImGui::GetTextLineHeight();
        line(list, at, placed, theme_.colours().activeText, counter_);
      }
      at.y += ImGui::GetTextLineHeight();
      line(list, at, placed, theme_.colours().activeText, tr(kCountedLoads));
    }
  }

 private:
  using Outline = std::array<ImVec2, 4>;

  /// All rows, apart from each other, each at most a little above or below its place; none if that cannot be.
  std::vector<PlacedLabel> spreadRows(const std::vector<SceneLabel>& labels) {
    for (const SceneLabel& label : labels) {
      if (label.row) { place(label); }
    }
    std::vector<PlacedLabel> rows = std::exchange(placed_, {});
    if (rows.size() < 2) { return {}; }
    std::ranges::sort(rows, {}, [](const PlacedLabel& row) { return row.min.y; });
    const float line = kLeastLeading * rows.front().size.y;
    std::vector<float> wanted;
    for (const PlacedLabel& row : rows) { wanted.push_back(row.min.y); }
    float down = 0, up = 0;  // by which they have moved
    for (std::size_t i = 1; i < rows.size(); ++i) {
      rows[i].min.y = std::max(rows[i].min.y, rows[i - 1].min.y + line);
      down = std::max(down, rows[i].min.y - wanted[i]);
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
      rows[i].min.y -= down / 2;
      up = std::max(up, std::abs(rows[i].min.y - wanted[i]));
    }
    return up <= kMostShift * line ? rows : std::vector<PlacedLabel>{};
  }

  /// A face on the screen: its upper left corner, and what a unit along it and down it becomes.
  struct Slant {
    ImVec2 at, along, down;

    Slant(const SceneLabelPlacer& placer, const render::SceneFace& face) : at(placer.onScreen(face.origin)) {
      const ImVec2 right = placer.onScreen(face.origin + face.along), below = placer.onScreen(face.origin + face.down);
      along = {right.x - at.x, right.y - at.y};
      down = {below.x - at.x, below.y - at.y};
    }
  };

  /// At `x`, `y` pixels along a face and down it, `scale` times the font's size.
  void write(const Slant& slant, float x, float y, float scale, ImU32 colour, const std::string& text) const {
    const auto unit = [](ImVec2 of) {
      const float length = std::max(std::hypot(of.x, of.y), 1e-3F);
      return ImVec2(of.x / length, of.y / length);
    };
    const ImVec2 along = unit(slant.along), down = unit(slant.down);
    // Written in the size that it is seen in, so that it is sharp.
    ImGui::PushFont(nullptr, ImGui::GetFontSize() * scale);
    slantedTextAt(ImGui::GetWindowDrawList(),
                  {slant.at.x + along.x * x + down.x * y, slant.at.y + along.y * x + down.y * y}, along, down, colour,
                  text);
    ImGui::PopFont();
  }

  void addOutline(const std::array<glm::vec3, 4>& corners) {
    Outline& outline = outlines_.emplace_back();
    for (std::size_t i = 0; i < outline.size(); ++i) { outline[i] = onScreen(corners[i]); }
  }

  /// The leftmost pixel of the outlines between `top` and `top + height`.
  [[nodiscard]] float besideOutlines(float top, float height) const {
    float left = max_.x;
    for (const Outline& outline : outlines_) {
      for (std::size_t i = 0; i < outline.size(); ++i) {
        const ImVec2 a = outline[i], b = outline[(i + 1) % outline.size()];
        // Of this edge what lies at the label's height.
        const float low = std::max(top, std::min(a.y, b.y)), high = std::min(top + height, std::max(a.y, b.y));
        if (low > high) { continue; }
        for (const float y : {low, high}) {
          const float share = a.y == b.y ? 0 : (y - a.y) / (b.y - a.y);
          left = std::min(left, a.x + (b.x - a.x) * share);
        }
      }
    }
    return left;
  }

  /// Under the middle of a plane, as close as its edges allow.
  [[nodiscard]] ImVec2 below(const Outline& corners, ImVec2 size) const {
    const auto [first, last] = std::ranges::minmax_element(corners, {}, &ImVec2::x);
    const float left = std::clamp((first->x + last->x - size.x) / 2, min_.x, std::max(min_.x, max_.x - size.x));
    float lowest = min_.y;
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const ImVec2 a = corners[i], b = corners[(i + 1) % corners.size()];
      // Of this edge what lies over the label.
      const float from = std::max(left, std::min(a.x, b.x)), to = std::min(left + size.x, std::max(a.x, b.x));
      if (from > to) { continue; }
      for (const float x : {from, to}) {
        lowest = std::max(lowest, a.x == b.x ? std::max(a.y, b.y) : a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x));
      }
    }
    return {left, lowest + theme_.px(kBelowPlane)};
  }

  /// At the outermost corner, so that it covers no cell of the rows in front of it.
  [[nodiscard]] ImVec2 besideRow(const std::array<ImVec2, 4>& corners, ImVec2 size) const {
    const auto byX = [](const ImVec2& a, const ImVec2& b) { return a.x < b.x; };
    const ImVec2 outer = *std::min_element(corners.begin(), corners.end(), byX);
    return {outer.x - theme_.px(kToRow) - size.x, outer.y - size.y / 2};
  }

  /// Along the edge of a slot that faces the label's side: under the near one, over the far one.
  [[nodiscard]] ImVec2 alongEdge(const SceneLabel& label, const std::array<ImVec2, 4>& corners, ImVec2 size) const {
    const auto byX = [](const ImVec2& a, const ImVec2& b) { return a.x < b.x; };
    const auto byY = [](const ImVec2& a, const ImVec2& b) { return a.y < b.y; };
    const bool right = label.side == Side::Right;
    const ImVec2 outer = right ? *std::max_element(corners.begin(), corners.end(), byX)
                               : *std::min_element(corners.begin(), corners.end(), byX);
    const ImVec2 end = right ? *std::min_element(corners.begin(), corners.end(), byY)
                             : *std::max_element(corners.begin(), corners.end(), byY);
    const ImVec2 middle{(outer.x + end.x) / 2, (outer.y + end.y) / 2};
    const float board = theme_.px(kBoardEdge);
    return right ? ImVec2(middle.x + board, middle.y - board / 2 - size.y)
                 : ImVec2(middle.x - board - size.x, middle.y + board / 2 + theme_.px(4));
  }

  /// Hung on the edge that runs from the plane's outermost corner on the label's side to its lowest one.
  [[nodiscard]] ImVec2 beside(const SceneLabel& label, const std::array<ImVec2, 4>& corners, ImVec2 lowest,
                              ImVec2 size) const {
    const auto byX = [](const ImVec2& a, const ImVec2& b) { return a.x < b.x; };
    const bool right = label.side == Side::Right;
    const ImVec2 outer = right ? *std::max_element(corners.begin(), corners.end(), byX)
                               : *std::min_element(corners.begin(), corners.end(), byX);
    const float along = kAlongEdge * roominess_;
    const ImVec2 anchor = {outer.x + (lowest.x - outer.x) * along, outer.y + (lowest.y - outer.y) * along};
    const float gap = theme_.px(6);
    const float lift = (1 - roominess_) * (size.y / 2 + gap);
    const float tooFar = anchor.x + gap + size.x - max_.x;
    if (right && tooFar > 0) {  // moved to the left it must lie under the edge
      const float slope = (lowest.y - outer.y) / std::max(outer.x - lowest.x, 1.0F);
      return {max_.x - size.x, std::max(anchor.y + gap - lift, outer.y + gap + tooFar * slope)};
    }
    return {right ? anchor.x + gap : anchor.x - gap - size.x, anchor.y + gap - lift};
  }

  [[nodiscard]] ImVec2 onScreen(const glm::vec3& point) const {
    const glm::vec2 pixel = projection_.project(point);
    const ImVec2 scale = ImGui::GetIO().DisplayFramebufferScale;
    return {min_.x + pixel.x / scale.x, min_.y + pixel.y / scale.y};
  }

  /// Below a stack, a name and its detail are one line.
  [[nodiscard]] static bool isOneLine(const SceneLabel& label) { return label.side == Side::Below; }
  [[nodiscard]] float widthOfLine(const std::string& name, const std::string& detail) const {
    const FontScope mono(theme_, Face::Mono, TextSize::Small);
    const float width = textWidth(name) + theme_.px(kBesideName);
    const FontScope sans(theme_, Face::Sans, TextSize::Small);
    return width + textWidth(detail);
  }

  [[nodiscard]] ImVec2 sizeOf(const SceneLabel& label) const {
    ImVec2 size = {0, 0};
    if (!label.text.empty()) {
      const FontScope font(theme_, Face::Mono, TextSize::Small);
      size = {textWidth(label.text), ImGui::GetTextLineHeight()};
    }
    if (isOneLine(label)) {
      size.x = widthOfLine(label.text, label.detail);
    } else if (!label.detail.empty()) {
      const FontScope font(theme_, Face::Sans, TextSize::Small);
      size = {std::max(size.x, textWidth(label.detail)), size.y + ImGui::GetTextLineHeight()};
    }
    if (label.counts) {  // it has its room before there is anything to count
      const FontScope font(theme_, Face::Sans, TextSize::Small);
      const float counter = isOneLine(label) ? widthOfLine(label.text, counter_) : textWidth(counter_);
      size = {std::max({size.x, counter, textWidth(tr(kCountedLoads))}),
              size.y + (isOneLine(label) ? 1.0F : 2.0F) * ImGui::GetTextLineHeight()};
    }
    if (label.inside) { size = {size.x + theme_.px(8), size.y + theme_.px(4)}; }  // slots are close together
    return size;
  }

  /// `share`: of their heights that counts.
  static bool overlap(const PlacedLabel& a, const PlacedLabel& b, float share = 1) {
    return a.min.x < b.min.x + b.size.x && b.min.x < a.min.x + a.size.x && a.min.y < b.min.y + share * b.size.y &&
           b.min.y < a.min.y + share * a.size.y;
  }

  void line(ImDrawList* list, ImVec2 at, const PlacedLabel& placed, ImU32 colour, const std::string& text) const {
    const float spare = placed.size.x - textWidth(text);
    if (placed.label->side == Side::Left) { at.x += spare; }
    if (placed.label->side == Side::Below) { at.x += spare / 2; }
    rimmed(list, at, colour, text);
  }
  void rimmed(ImDrawList* list, ImVec2 at, ImU32 colour, const std::string& text) const {
    // A dark rim keeps the words legible where a turn of the scene puts a plane behind them.
    const ImU32 rim = theme_.faded(theme_.colours().panel, 0.7F);
    for (const ImVec2 offset : {ImVec2(-1, 0), ImVec2(1, 0), ImVec2(0, -1), ImVec2(0, 1)}) {
      textAt(list, {at.x + offset.x, at.y + offset.y}, rim, text);
    }
    textAt(list, at, colour, text);
  }

  const Theme& theme_;
  const render::SceneProjection& projection_;
  std::string counter_;
  ImVec2 min_, max_;
  float roominess_ = 1;  ///< 1: labels fit under the planes' edges; 0: they must go to the side of the corners
  std::vector<Outline> outlines_;
  std::vector<PlacedLabel> placed_;
};

bool hasOutputPlanes(const render::SceneModel& model) {
  const auto ofOutput = [](const render::SceneBox& box) { return box.kind == render::SceneSource::Kind::Output; };
  const auto first = std::ranges::find_if(model.boxes, ofOutput);
  return std::any_of(first, model.boxes.end(),
                     [&](const render::SceneBox& box) { return ofOutput(box) && box.low.y != first->low.y; });
}

}  // namespace

render::SceneMargins labelMargins(const Theme& theme, const render::SceneModel& model, float aspect) {
  float left = 0, rows = 0;
  for (const SceneLabel& label : model.labels) {
    if (label.side != Side::Left || label.inside) { continue; }
    if (label.text.empty()) {  // a plane's coordinate beside a stack
      const FontScope font(theme, Face::Sans, TextSize::Small);
      rows = std::max(rows, textWidth(label.detail) + theme.px(kToRow));
      continue;
    }
    {
      const FontScope font(theme, Face::Mono, TextSize::Small);
      left = std::max(left, textWidth(label.text));
    }
    const FontScope font(theme, Face::Sans, TextSize::Small);
    left = std::max({left, textWidth(label.detail), textWidth(kLongestDetail)});
  }
  // Where width is scarce, planes lie far apart, and much of a label hangs under a slanting edge.
  const float share = aspect < kWide ? 1.0F : 0.62F;
  // A label below an output stack mostly finds room next to the larger input's.
  const bool deep = model.fold.columns > 0 && model.fold.stride > 1;  // its rows' names push the others down
  // Then an output stack is as high as the input's, or nearly.
  const bool decks = std::ranges::any_of(model.boxes, isFrame) || hasOutputPlanes(model);
  const bool named = model.clear == render::SceneClear::Corners && decks;  // its stacks stand above their names
  const float below = theme.px((deep || decks) && !named ? 34 : 12);
  const ImVec2 scale = ImGui::GetIO().DisplayFramebufferScale;
  return {scale.x * (std::max(left * share, rows) + theme.px(8)), scale.y * theme.px(8), scale.x * theme.px(8),
          scale.y * below};
}

std::vector<LabelPlace> drawSceneLabels(const Theme& theme, const render::SceneModel& model,
                                        const render::SceneProjection& projection, float progress, ImVec2 min,
                                        ImVec2 max, ImVec2 covered) {
  const std::uint64_t loads = model.loadsArrived(progress);
  const std::string counter = loads == 0 ? "" : trn("{} global load", "{} global loads", loads, grouped(loads));
  SceneLabelPlacer placer(theme, projection, counter, min, max);
  const std::vector<SceneLabel> labels = placer.inView(model.labels);
  placer.measure(labels);
  placer.avoid(model.boxes);
  const bool moving = progress < 1;
  const auto engraved = [&](const SceneLabel& label) { return label.face && placer.isLegible(*label.face); };
  for (const SceneLabel& label : labels) {
    if (engraved(label)) {
      placer.engrave(label, moving);
    } else if (!label.row && !label.faceOnly) {
      placer.place(label);
    }
  }
  for (const render::SceneLettering& lettering : model.letterings) { placer.letter(lettering); }
  placer.separate();
  placer.placeRows(labels);
  placer.keepOff(covered);
  placer.draw(moving);
  return placer.places();
}

}  // namespace haloscope::ui
