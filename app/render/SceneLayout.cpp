#include "render/SceneLayout.h"

#include <algorithm>
#include <cmath>
#include <glm/trigonometric.hpp>
#include <limits>

namespace haloscope::render {

using recording::BlockView;
using recording::Carrier;
using recording::CarrierCell;
using recording::Footprint;
using recording::GridPoint;

namespace {

constexpr float kHome = 0.7854F;  ///< yaw from which a scene is drawn first: both axes equally oblique

/// Of a strip, in widths of a cell, where there is little room and where there is much.
struct StripSpacing {
  float depth;  ///< of a cell
  float gap;    ///< between input and output: taps are drawn across it
  float apart;  ///< from one row's output to the indices of the next row
};
constexpr StripSpacing kTightStrip{0.62F, 0.5F, 0.2F}, kWideStrip{1, 3, 1};
constexpr std::int64_t kFewestColumns = 8;

/// Grid points of a block in 2D or 3D that are seen well in one row, and how many times longer than deep it may be.
constexpr std::int64_t kLongestThinRow = 48, kThin = 10;

// Heights, in gaps between open planes.
constexpr float kDeckGap = 0.36F;   ///< from the outermost plane to the frames of those passed and to come
constexpr float kSamePlane = 0.6F;  ///< between two copies of one grid plane
constexpr float kLowerDeck = 1.45F, kUpperDeck = 2;  ///< from the focus to the planes that lie close together

/// Height over width of the room from which on a stack of planes leans and is pressed together, fully at the second
/// one: a low wide room else leaves most of its width empty.
constexpr float kBeginsToLean = 0.5F, kLeansFully = 0.25F;
constexpr float kLean = 0.9F, kPressed = 0.14F;  ///< to the side, by height; less gap, by a plane's depth

/// An output floats unless its cells are this many times larger beside the input.
constexpr float kMuchLarger = 1.3F;

/// How far input in global memory lies below the copies next to it, in thicknesses of a cell.
constexpr float kSunken = 1.6F;

void include(GridPoint& low, GridPoint& high, const GridPoint& at) {
  low = {std::min(low.z, at.z), std::min(low.y, at.y), std::min(low.x, at.x)};
  high = {std::max(high.z, at.z), std::max(high.y, at.y), std::max(high.x, at.x)};
}

/// An array of one axis that holds points of several: how they lie in it is not known from its shape.
bool isFlattened(const Footprint& footprint, const Carrier& carrier) {
  return carrier.extents.size() < 2 && footprint.inputExtents.size() > 1;
}

float count(std::int64_t low, std::int64_t high) { return static_cast<float>(high - low + 1); }

}  // namespace

SceneLayout::SceneLayout(const SceneFacts& facts, const Footprint& footprint, const std::vector<Carrier>& carriers,
                         const BlockView& view, std::uint32_t thread, const SceneSpace& space)
    : facts_(facts), carriers_(carriers), low_(footprint.lowest), high_(footprint.highest) {
  chooseArrangement(view);
  findBounds(footprint, view);
  lowX_ = low_.x;
  highX_ = high_.x;
  strip_ = footprint.inputExtents.size() <= 1 && low_.y == high_.y && floats();
  if (strip_) {
    chooseStrip(space);
  } else {
    chooseFold(footprint);
  }
  chooseFocus(view, thread);
  chooseHeights(space.aspect);
}

void SceneLayout::chooseArrangement(const BlockView& view) {
  const auto planes = [&](std::uint32_t c) { return facts_.carriers[c].shape[0]; };
  bool tile = false;
  for (std::uint32_t c = 0; c < view.carriers.size(); ++c) {
    const bool shared = carriers_[c].kind == Carrier::Kind::SharedArray;
    tile = tile || (shared && planes(c) > 1);
    // A register that only passes a value on to shared memory would show every value twice.
    if (shared || (facts_.carriers[c].place != RotationPlace::None && planes(c) == 1)) drawn_.push_back(c);
  }
  if (drawn_.empty()) {
    arrangement_ = SceneArrangement::Points;
  } else if (tile) {
    arrangement_ = SceneArrangement::Tile;
  } else {
    arrangement_ = low_.z == high_.z && !facts_.rotates ? SceneArrangement::Flat : SceneArrangement::Planes;
  }
  // The lowest grid plane lies lowest; of copies of one plane the registers lie below, since fewer threads look at
  // them.
  std::stable_sort(drawn_.begin(), drawn_.end(), [&](std::uint32_t a, std::uint32_t b) {
    const int aheadA = facts_.carriers[a].ahead.value_or(0);
    const int aheadB = facts_.carriers[b].ahead.value_or(0);
    if (aheadA != aheadB) return aheadA < aheadB;
    return carriers_[a].kind == Carrier::Kind::Register && carriers_[b].kind == Carrier::Kind::SharedArray;
  });
}

void SceneLayout::findBounds(const Footprint& footprint, const BlockView& view) {
  // A carrier that was never filled lies where one of the same shape does, else at the corner of what the block reads.
  offsets_.assign(view.carriers.size(), footprint.lowest);
  for (const std::uint32_t c : drawn_) {
    const CarrierFacts& facts = facts_.carriers[c];
    if (view.carriers[c].placed) {
      offsets_[c] = view.carriers[c].offset;
    } else if (facts.firstOffset) {
      offsets_[c] = *facts.firstOffset;
    } else {
      for (const std::uint32_t other : drawn_) {
        if (facts_.carriers[other].shape == facts.shape && facts_.carriers[other].firstOffset) {
          offsets_[c] = *facts_.carriers[other].firstOffset;
        }
      }
    }
  }
  for (const std::uint32_t c : drawn_) {
    const CarrierFacts& facts = facts_.carriers[c];
    // A rotating plane's height changes; where it lies sideways does not.
    for (const auto& place : facts.firstPlaces) {
      if (place) include(low_, high_, *place);
    }
    if (isFlattened(footprint, carriers_[c])) continue;
    const GridPoint first = facts.firstOffset.value_or(offsets_[c]);
    include(low_, high_, first);
    include(low_, high_, {first.z + facts.shape[0] - 1, first.y + facts.shape[1] - 1, first.x + facts.shape[2] - 1});
  }
  if (arrangement_ == SceneArrangement::Points) {
    for (const GridPoint& ghost : facts_.ghosts) { include(low_, high_, ghost); }
  }
  outputLow_ = outputHigh_ = footprint.outputPoints.empty() ? low_ : footprint.outputPoints.front().at;
  for (const recording::PointView& point : footprint.outputPoints) { include(outputLow_, outputHigh_, point.at); }
}

void SceneLayout::chooseFold(const Footprint& footprint) {
  const std::int64_t length = high_.x - low_.x + 1;
  const std::int64_t rows = high_.y - low_.y + 1;
  fold_.top = low_.y;
  if (footprint.inputExtents.size() <= 1 || length <= kLongestThinRow || length < kThin * rows) return;
  // A warp's outputs a band; more of them where the bands would be a long thin strip themselves.
  fold_.first = firstLane();
  fold_.stride = rows + 1;
  fold_.columns = kWarpSize;
  while (2 * (length / fold_.columns) * fold_.stride > 3 * fold_.columns) fold_.columns *= 2;
  foldEnds();
  foldBounds();
}

/// The bounds of what is drawn, folded.
void SceneLayout::foldBounds() {
  const auto folded = [&](GridPoint& low, GridPoint& high) {
    const GridPoint first = fold_(low);
    const GridPoint last = fold_(high);
    const bool one = fold_.bandOf(low.x) == fold_.bandOf(high.x);
    low = {low.z, first.y, one ? first.x : std::min<std::int64_t>(first.x, 0)};
    high = {high.z, last.y, one ? last.x : std::max(last.x, fold_.columns - 1)};
  };
  folded(low_, high_);
  folded(outputLow_, outputHigh_);
}

/// One row, if its cells have room for their values; else the fewest rows whose cells have. Where that is too high, as
/// many cells a row as make the cells largest.
void SceneLayout::chooseStrip(const SceneSpace& space) {
  const std::int64_t length = high_.x - low_.x + 1;
  fold_.top = low_.y;
  const auto legible = static_cast<std::int64_t>(space.width / std::max(space.value, 1.0F));
  if (length <= std::max(legible, kFewestColumns)) {
    spreadStrip(space, static_cast<float>(length), 1);
    return;
  }
  const std::int64_t ends = (outputLow_.x - low_.x) + (high_.x - outputHigh_.x);
  const GridPoint low = low_, high = high_, outputLow = outputLow_, outputHigh = outputHigh_;
  // Powers of two, so that indices at the rows' beginnings are easy to count on from.
  for (std::int64_t columns = kFewestColumns;; columns *= 2) {
    const bool next = 2 * columns + ends <= legible;
    if (next) continue;
    low_ = low, high_ = high, outputLow_ = outputLow, outputHigh_ = outputHigh;
    fold_ = {.first = firstLane(), .columns = columns, .top = low.y};
    foldEnds();
    foldBounds();
    const bool fits = spreadStrip(space, count(low_.x, high_.x), count(low_.y, high_.y));
    if (fits || columns >= length) return;
  }
}

/// Spreads the rows of a strip over the picture's height. False if they are too many.
bool SceneLayout::spreadStrip(const SceneSpace& space, float columns, float rows) {
  const float cell = space.width / columns;  // pixels
  ruler_ = space.line / cell;
  const float legible = cell >= space.value ? space.line / cell : 0;
  constexpr int kChoices = 10;
  for (int choice = kChoices; choice >= 0; --choice) {
    const float share = static_cast<float>(choice) / kChoices;
    const auto between = [&](float tight, float wide) { return tight + (wide - tight) * share; };
    depth_ = std::max(between(kTightStrip.depth, kWideStrip.depth), std::min(legible, 1.0F));
    gap_ = between(kTightStrip.gap, kWideStrip.gap);
    const float apart = between(kTightStrip.apart, kWideStrip.apart);
    pitch_ = ruler_ + 2 * depth_ + gap_ + apart;
    if ((rows * pitch_ - apart) * cell <= space.height) return true;
  }
  return false;
}

std::vector<SceneRuler> SceneLayout::rulers() const {
  std::vector<SceneRuler> rulers;
  if (!strip_) return rulers;
  for (std::int64_t row = low_.y; row <= high_.y; ++row) {
    SceneRuler ruler;
    const bool folded = fold_.columns > 0;
    const std::int64_t begin = folded ? fold_.first + row * fold_.columns : 0;  // the index in column 0
    ruler.first = folded && row > fold_.bandOf(lowX_) ? begin : lowX_;
    ruler.last = folded && row < fold_.bandOf(highX_) ? begin + fold_.columns - 1 : highX_;
    ruler.aligned = folded ? begin : 0;
    ruler.from = placeFolded(SceneStack::Input, {0, row, ruler.first - begin}, heightOf(low_.z) + thickness_);
    rulers.push_back(ruler);
  }
  return rulers;
}

/// The x of lane 0 in the warp that computes the first outputs, so that bands are warps.
std::int64_t SceneLayout::firstLane() const {
  for (std::size_t thread = 0; thread < facts_.homes.size(); ++thread) {
    const auto& output = facts_.homes[thread].output;
    if (!output || output->x != outputLow_.x) continue;
    return output->x - static_cast<std::int64_t>(thread % kWarpSize);
  }
  return outputLow_.x;
}

/// A halo before the first band, or after the last, is drawn in line with it, unless it is long.
void SceneLayout::foldEnds() {
  const std::int64_t before = fold_.bandOf(low_.x);
  const std::int64_t after = fold_.bandOf(high_.x);
  const std::int64_t outputs = fold_.bandOf(outputLow_.x);
  fold_.firstBand = before;
  fold_.lastBand = after;
  const bool early = before + 1 == outputs;
  if (early && 2 * (fold_.first + outputs * fold_.columns - low_.x) <= fold_.columns) fold_.firstBand = outputs;
  const bool late = after > std::max(fold_.bandOf(outputHigh_.x), fold_.firstBand);
  const std::int64_t begin = fold_.first + after * fold_.columns;
  if (late && 2 * (high_.x - begin + 1) <= fold_.columns) fold_.lastBand = after - 1;
}

void SceneLayout::chooseFocus(const BlockView& view, std::uint32_t thread) {
  if (arrangement_ == SceneArrangement::Planes) {
    // The planes held now; the current one is the focus.
    lowestHeld_ = std::numeric_limits<std::int64_t>::max();
    highestHeld_ = std::numeric_limits<std::int64_t>::min();
    std::optional<std::int64_t> current;
    for (const std::uint32_t c : drawn_) {
      const CarrierFacts& facts = facts_.carriers[c];
      if (facts.place == RotationPlace::Current || (!current && facts.place == RotationPlace::None)) {
        current = offsets_[c].z;
      }
      if (!view.carriers[c].placed) continue;
      lowestHeld_ = std::min(lowestHeld_, offsets_[c].z);
      highestHeld_ = std::max(highestHeld_, offsets_[c].z);
    }
    focus_ = current.value_or(low_.z);
    if (lowestHeld_ > highestHeld_) {  // nothing is loaded yet: all planes are to come
      lowestHeld_ = low_.z;
      highestHeld_ = low_.z - 1;
    }
    return;
  }
  focus_ = (outputLow_.z + outputHigh_.z) / 2;
  if (thread < facts_.homes.size()) {
    const ThreadHome& home = facts_.homes[thread];
    if (home.output) {
      focus_ = home.output->z;
    } else if (home.input) {
      focus_ = home.input->z;
    }
  }
  // Keep a plane on either side of it open as well.
  if (high_.z - low_.z >= 2) focus_ = std::clamp(focus_, low_.z + 1, high_.z - 1);
}

void SceneLayout::chooseHeights(float aspect) {
  if (strip_) {
    outputShift_ = {0, 0, depth_ + gap_};
    return;
  }
  const float nx = count(low_.x, high_.x);
  const float ny = pitch_ * count(low_.y, high_.y);
  const float nz = count(low_.z, high_.z);
  // A long thin block is turned until its long side runs across the panel.
  const float ratio = std::log2(nx / ny);
  homeYaw_ = -glm::radians(11.0F) * std::copysign(std::clamp(std::abs(ratio) - 1, 0.0F, 3.0F), ratio);
  const float yaw = kHome + homeYaw_;
  side_ = {std::cos(yaw), 0, -std::sin(yaw)};
  const float depth = nx * std::sin(yaw) + ny * std::cos(yaw);
  const float width = nx * std::cos(yaw) + ny * std::sin(yaw);
  thickness_ = std::clamp(0.03F * (nx + ny) / 2, 0.32F, 0.8F);

  const float outputWidth =
      count(outputLow_.x, outputHigh_.x) * std::cos(yaw) + count(outputLow_.y, outputHigh_.y) * std::sin(yaw);
  const float space = std::max(0.16F * width, 1.5F);
  if (floats()) {
    gap_ = gapFor(aspect, width, depth, 1, thickness_, 0.42F, 0.64F);
    const auto cells = [&](float across, float upward) { return std::min(1 / across, aspect / upward); };  // their size
    const float flat = depth * std::sin(kHomePitch) + thickness_ * std::cos(kHomePitch);
    const float floating = cells(width, flat + gap_ * std::cos(kHomePitch));
    beside_ = cells(width + space + outputWidth, flat) > kMuchLarger * floating;
    outputShift_ = {0, gap_, 0};
    if (!beside_) return;
  }
  // Side by side as seen from the home view. Grid points keep their places within each stack, so the shift is what lies
  // between the two stacks' centres.
  const glm::vec3 off = {static_cast<float>(outputLow_.x + outputHigh_.x - low_.x - high_.x) / 2, 0,
                         static_cast<float>(outputLow_.y + outputHigh_.y - low_.y - high_.y) / 2};
  outputShift_ = side_ * (width / 2 + space + outputWidth / 2) - off;
  const float total = width + space + outputWidth;
  const float low = std::clamp((kBeginsToLean - aspect) / (kBeginsToLean - kLeansFully), 0.0F, 1.0F);
  const float pressed = kPressed * low;
  if (!isFlat()) { lean_ = kLean * low; }

  if (arrangement_ != SceneArrangement::Planes) {
    // Cells of a deck show their front sides and a strip of their tops.
    deck_ = std::max(std::min(0.9F, 0.6F * depth / nz), thickness_ * 1.6F);
    const float gaps = std::min(nz - 1, kLowerDeck + kUpperDeck);
    gap_ = gapFor(aspect, total, depth, gaps, deck_ * std::max(nz - 5, 0.0F) + thickness_, 0.3F - pressed, 0.56F);
    return;
  }
  deck_ = std::min(0.45F, 0.3F * depth / nz);
  chooseSlots();
  gap_ = gapFor(aspect, total, depth, topSlot_ - bottomSlot_ + 2 * kDeckGap,
                deck_ * std::max(nz - 5, 0.0F) + thickness_, 0.33F - pressed, 0.56F);
  for (float& slot : slots_) { slot *= gap_; }
  bottomSlot_ *= gap_;
  topSlot_ *= gap_;
}

/// The gap with which `gaps` of them, and `rest` more units of height, give a picture of about the wanted shape, within
/// `least` and `most` of a plane's depth: apart enough to look between, together enough to belong together.
float SceneLayout::gapFor(float aspect, float width, float depth, float gaps, float rest, float least, float most) {
  const float height = (aspect * width - depth * std::sin(kHomePitch)) / std::cos(kHomePitch);
  return std::max(std::clamp((height - rest) / std::max(gaps, 1.0F), least * depth, most * depth), 1.5F);
}

/// Slots, in gaps: one for each carrier, lowest first, around the current plane.
void SceneLayout::chooseSlots() {
  slots_.assign(facts_.carriers.size(), 0);
  float height = 0;
  float current = 0;
  for (std::size_t i = 0; i < drawn_.size(); ++i) {
    const CarrierFacts& facts = facts_.carriers[drawn_[i]];
    const bool same = i > 0 && facts.ahead == facts_.carriers[drawn_[i - 1]].ahead;
    if (i > 0) height += same ? kSamePlane : 1;
    slots_[drawn_[i]] = height;
    if (facts.place == RotationPlace::Current || facts.place == RotationPlace::None) current = height;
  }
  for (const std::uint32_t c : drawn_) { slots_[c] -= current; }
  bottomSlot_ = std::min(-current, -1.0F);
  topSlot_ = std::max(height - current, 1.0F);
}

std::optional<GridPoint> SceneLayout::pointOf(std::uint32_t carrier, const CarrierCell& cell) const {
  if (cell.placed) return cell.at;
  const CarrierFacts& facts = facts_.carriers[carrier];
  const auto index = static_cast<std::size_t>(cell.index);
  if (index < facts.firstPlaces.size() && facts.firstPlaces[index]) return facts.firstPlaces[index];
  if (!strip_ && carriers_[carrier].extents.size() < 2) return std::nullopt;
  const auto& shape = facts.shape;
  const GridPoint& offset = offsets_[carrier];
  return GridPoint{offset.z + cell.index / (shape[1] * shape[2]), offset.y + cell.index / shape[2] % shape[1],
                   offset.x + cell.index % shape[2]};
}

float SceneLayout::heightOf(std::int64_t plane) const {
  const auto distance = static_cast<float>(plane - focus_);
  if (arrangement_ == SceneArrangement::Planes) {
    if (plane == focus_) return 0;
    if (distance == -1) return bottomSlot_;
    if (distance == 1) return topSlot_;
    return distance < 0 ? bottomSlot_ - kDeckGap * gap_ + deck_ * (distance + 2)
                        : topSlot_ + kDeckGap * gap_ + deck_ * (distance - 2);
  }
  if (distance <= 1 && distance >= -1) return distance * gap_;
  return distance < 0 ? -kLowerDeck * gap_ + deck_ * (distance + 2) : kUpperDeck * gap_ + deck_ * (distance - 2);
}

float SceneLayout::heightOf(std::uint32_t carrier, std::int64_t plane) const {
  return arrangement_ == SceneArrangement::Planes ? slots_[carrier] : heightOf(plane);
}

float SceneLayout::inputHeight(std::int64_t plane) const {
  return heightOf(plane) - (arrangement_ == SceneArrangement::Points ? 0 : kSunken * thickness_);
}

glm::vec3 SceneLayout::placeFolded(SceneStack stack, const GridPoint& at, float height) const {
  const float centreX = static_cast<float>(low_.x + high_.x + 1) / 2;
  const float centreY = static_cast<float>(low_.y + high_.y + 1) / 2;
  const glm::vec3 corner =
      glm::vec3(static_cast<float>(at.x) - centreX, 0, pitch_ * (static_cast<float>(at.y) - centreY)) + rise(height);
  return stack == SceneStack::Output ? corner + outputShift_ : corner;
}

bool SceneLayout::isOpen(std::int64_t plane) const { return isFlat() || std::abs(plane - focus_) <= 1; }

std::vector<glm::vec3> SceneLayout::extent() const {
  float bottom = heightOf(low_.z);
  float top = heightOf(high_.z) + thickness_;
  if (arrangement_ == SceneArrangement::Planes) {
    // As if half of the planes had passed, whatever the step: the framing must not move with the cursor.
    const float decks = kDeckGap * gap_ + deck_ * std::max(count(low_.z, high_.z) / 2 - 3, 0.0F);
    bottom = bottomSlot_ - decks;
    top = topSlot_ + decks + thickness_;
  }
  std::vector<glm::vec3> points;
  const auto addBox = [&](SceneStack stack, const GridPoint& low, const GridPoint& high, float from, float to) {
    for (const float height : {from, to}) {
      points.push_back(placeFolded(stack, {0, low.y, low.x}, height));
      points.push_back(placeFolded(stack, {0, high.y, low.x}, height) + glm::vec3(0, 0, depth_));
      points.push_back(placeFolded(stack, {0, low.y, high.x}, height) + glm::vec3(1, 0, 0));
      points.push_back(placeFolded(stack, {0, high.y, high.x}, height) + cell());
    }
  };
  addBox(SceneStack::Input, low_, high_, bottom, top);
  if (strip_) points.push_back(placeFolded(SceneStack::Input, low_, 0) - glm::vec3(0, 0, ruler_));
  if (floats()) {
    addBox(SceneStack::Output, outputLow_, outputHigh_, 0, thickness_);
  } else {
    const bool planes = arrangement_ == SceneArrangement::Planes;
    addBox(SceneStack::Output, outputLow_, outputHigh_, planes ? bottom : heightOf(outputLow_.z),
           planes ? top : heightOf(outputHigh_.z) + thickness_);
  }
  return points;
}

}  // namespace haloscope::render
