#include "render/SceneLayout.h"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

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
constexpr float kLowerDeck = 1.45F, kUpperDeck = 2;  ///< from the focus to the planes that lie close together

/// Height over width of the room from which on a stack of planes leans and is pressed together, fully at the second
/// one: a low wide room else leaves most of its width empty.
constexpr float kBeginsToLean = 0.5F, kLeansFully = 0.25F;
constexpr float kLean = 0.9F, kPressed = 0.14F;  ///< to the side, by height; less gap, by a plane's depth

/// How thick a plane of a stack is at most, by the distance to the next.
constexpr float kPlate = 0.6F;

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

/// Shares of the picture that are free beside and below what covers its upper right corner.
float acrossFree(const SceneSpace& space) { return space.isBelow() ? 1 : 1 - space.upperRight.x; }
float upwardFree(const SceneSpace& space) { return space.isBelow() ? 1 - space.upperRight.y : 1; }
/// Height by width of the picture between what covers its corners.
float betweenCorners(const SceneSpace& space) {
  return space.aspect * upwardFree(space) / (acrossFree(space) - space.lowerLeft.x);
}
/// ... and above and beside it.
float beyondCorners(const SceneSpace& space) {
  return space.aspect * (upwardFree(space) - space.lowerLeft.y) / acrossFree(space);
}

float count(std::int64_t low, std::int64_t high) { return static_cast<float>(high - low + 1); }

}  // namespace

SceneLayout::SceneLayout(const SceneSubject& subject)
    : facts_(subject.facts),
      carriers_(subject.carriers),
      low_(subject.footprint.lowest),
      high_(subject.footprint.highest) {
  chooseArrangement(subject.footprint, subject.view);
  findBounds(subject.footprint, subject.view);
  lowX_ = low_.x;
  highX_ = high_.x;
  const bool isEmpty = subject.footprint.inputExtents.empty() && subject.view.outputs.empty();
  strip_ = subject.footprint.inputExtents.size() <= 1 && !isEmpty && low_.y == high_.y && floats();
  if (strip_) {
    chooseStrip(subject.space);
  } else {
    chooseFold(subject.footprint);
  }
  chooseFocus(subject);
  chooseHeights(subject);
}

void SceneLayout::chooseArrangement(const Footprint& footprint, const BlockView& view) {
  bool several = false;  // planes in one array
  for (std::uint32_t c = 0; c < view.carriers.size(); ++c) {
    const bool shared = carriers_[c].kind == Carrier::Kind::SharedArray;
    const CarrierFacts& facts = facts_.carriers[c];
    several = several || facts.slots.count() > 1;
    // A register that only passes a value on to shared memory would show every value twice.
    if (shared || (facts.place != RotationPlace::None && facts.shape.planes() == 1)) drawn_.push_back(c);
  }
  if (drawn_.empty()) {
    arrangement_ = SceneArrangement::Points;
  } else {
    const bool one = low_.z == high_.z && !facts_.rotates && !several;
    // A strip, or what chooseFold() may fold.
    const bool thin = footprint.inputExtents.size() <= 1 || high_.x - low_.x + 1 >= kThin * (high_.y - low_.y + 1);
    arrangement_ = one && thin ? SceneArrangement::Flat : SceneArrangement::Planes;
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
  // A carrier that was never filled lies where one of the same shape does, else in the middle of what the block reads.
  offsets_.assign(view.carriers.size(), footprint.lowest);
  for (const Carrier& carrier : carriers_) { flattened_.push_back(isFlattened(footprint, carrier) ? 1 : 0); }
  for (const std::uint32_t c : drawn_) {
    const CarrierFacts& facts = facts_.carriers[c];
    if (view.carriers[c].placed) {
      offsets_[c] = view.carriers[c].offset;
    } else if (facts.firstOffset) {
      offsets_[c] = *facts.firstOffset;
    } else {
      const GridPoint spare{0, footprint.highest.y - footprint.lowest.y + 1 - facts.shape.rows(),
                            footprint.highest.x - footprint.lowest.x + 1 - facts.shape.columns()};
      offsets_[c] = footprint.lowest + GridPoint{0, spare.y / 2, spare.x / 2};
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
    if (flattened_[c]) continue;
    // Several planes have a slot each: they lie over no plane of the input.
    GridPoint first = facts.firstOffset.value_or(offsets_[c]);
    if (facts.slots.count() > 1) first.z = low_.z;
    include(low_, high_, first);
    include(low_, high_, {first.z, first.y + facts.shape.rows() - 1, first.x + facts.shape.columns() - 1});
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
    ruler.from = placeFolded({rise(heightOf(low_.z) + thickness_)}, {0, row, ruler.first - begin});
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

void SceneLayout::chooseFocus(const SceneSubject& subject) {
  focus_ = planeOf(subject.thread, subject.cursor.position());
  if (arrangement_ == SceneArrangement::Planes) {
    // The current one of the planes held now.
    for (const std::uint32_t c : drawn_) {
      if (facts_.carriers[c].place == RotationPlace::Current) focus_ = offsets_[c].z;
    }
    return;
  }
  // Keep a plane on either side of it open as well.
  if (high_.z - low_.z >= 2) focus_ = std::clamp(focus_, low_.z + 1, high_.z - 1);
}

/// Of the output that a thread writes in the current step or next; else of the last.
std::int64_t SceneLayout::planeOf(std::uint32_t thread, std::size_t position) const {
  if (thread >= facts_.homes.size()) return (outputLow_.z + outputHigh_.z) / 2;
  const ThreadHome& home = facts_.homes[thread];
  for (const ThreadHome::Write& write : home.writes) {
    if (write.step + 1 >= position) return write.plane;
  }
  if (!home.writes.empty()) return home.writes.back().plane;
  return home.input ? home.input->z : (outputLow_.z + outputHigh_.z) / 2;
}

void SceneLayout::chooseHeights(const SceneSubject& subject) {
  const SceneSpace& space = subject.space;
  const float aspect = beyondCorners(space);
  if (strip_) {
    outputShift_ = {0, 0, depth_ + gap_};
    return;
  }
  const float nx = count(low_.x, high_.x);
  const float ny = pitch_ * count(low_.y, high_.y);
  // A long thin block is turned until its long side runs across the panel.
  const float ratio = std::log2(nx / ny);
  const float yaw = kHome - glm::radians(11.0F) * std::copysign(std::clamp(std::abs(ratio) - 1, 0.0F, 3.0F), ratio);
  look(yaw);
  const float depth = nx * std::sin(yaw) + ny * std::cos(yaw);
  const float width = nx * std::cos(yaw) + ny * std::sin(yaw);
  thickness_ = std::clamp(0.03F * (nx + ny) / 2, 0.32F, 0.8F);

  if (arrangement_ == SceneArrangement::Planes) {
    chooseBench(subject, yaw);
    return;
  }
  const float outputWidth =
      count(outputLow_.x, outputHigh_.x) * std::cos(yaw) + count(outputLow_.y, outputHigh_.y) * std::sin(yaw);
  const float between = std::max(0.16F * width, 1.5F);
  if (floats()) {
    gap_ = gapFor(aspect, width, depth, 1, thickness_, 0.42F, 0.64F);
    const auto cells = [&](float across, float upward) { return std::min(1 / across, aspect / upward); };  // their size
    const float flat = depth * std::sin(kHomePitch) + thickness_ * std::cos(kHomePitch);
    const float floating = cells(width, flat + gap_ * std::cos(kHomePitch));
    StagePlans none;
    const StagePlan& plan = (subject.plans != nullptr ? *subject.plans : none).stacks({{}, neighbours(), yaw, space});
    beside_ = 1 / (2 * plan.setting.reach.x) > kMuchLarger * acrossFree(space) * floating;
    outputShift_ = {0, gap_, 0};
    if (beside_) take(plan);
    return;
  }
  // Side by side as seen from the home view. Grid points keep their places within each stack, so the shift is what lies
  // between the two stacks' centres.
  const glm::vec3 off = {static_cast<float>(outputLow_.x + outputHigh_.x - low_.x - high_.x) / 2, 0,
                         static_cast<float>(outputLow_.y + outputHigh_.y - low_.y - high_.y) / 2};
  outputShift_ = side_ * (width / 2 + between + outputWidth / 2) - off;
  const float total = width + between + outputWidth;
  const float above = spreadStacks(space, total, depth);
  if (isFlat()) { return; }
  // Beside what covers the corners there is more height, above it more width, in which stacks lean.
  clear_ = SceneClear::Beside;
  if (above < kMuchLarger * spreadStacks(space, total, depth)) { return; }
  clear_ = SceneClear::Above;
  spreadStacks(space, total, depth);
}

float SceneLayout::spreadStacks(const SceneSpace& space, float width, float depth) {
  const bool beside = clear_ == SceneClear::Beside;
  const float aspect = beside ? betweenCorners(space) : beyondCorners(space);
  const float nz = count(low_.z, high_.z);
  const float low = std::clamp((kBeginsToLean - aspect) / (kBeginsToLean - kLeansFully), 0.0F, 1.0F);
  if (!isFlat()) { lean_ = kLean * low; }
  // Cells of a deck show their front sides and a strip of their tops.
  deck_ = std::max(std::min(0.9F, 0.6F * depth / nz), thickness_ * 1.6F);
  const float gaps = std::min(nz - 1, kLowerDeck + kUpperDeck), rest = deck_ * std::max(nz - 5, 0.0F) + thickness_;
  gap_ = gapFor(aspect, width, depth, gaps, rest, 0.3F - kPressed * low, 0.56F);
  const float height = gaps * gap_ + rest;
  const float upward = depth * std::sin(kHomePitch) + height * std::cos(kHomePitch);
  const float share = acrossFree(space) - (beside ? space.lowerLeft.x : 0);
  return share * std::min(1 / (width + lean_ * height), aspect / upward);
}

/// The gap with which `gaps` of them, and `rest` more units of height, give a picture of about the wanted shape, within
/// `least` and `most` of a plane's depth: apart enough to look between, together enough to belong together.
float SceneLayout::gapFor(float aspect, float width, float depth, float gaps, float rest, float least, float most) {
  const float height = (aspect * width - depth * std::sin(kHomePitch)) / std::cos(kHomePitch);
  return std::max(std::clamp((height - rest) / std::max(gaps, 1.0F), least * depth, most * depth), 1.5F);
}

BenchNeighbours SceneLayout::neighbours() const {
  return {.slot = {count(low_.x, high_.x), pitch_ * count(low_.y, high_.y)},
          .outputs = {count(outputLow_.x, outputHigh_.x), pitch_ * count(outputLow_.y, outputHigh_.y)},
          .planes = count(low_.z, high_.z),
          .outputPlanes = count(outputLow_.z, outputHigh_.z),
          .outputRise = static_cast<float>(outputLow_.z + outputHigh_.z - low_.z - high_.z) / 2,
          .thickness = thickness_};
}

void SceneLayout::chooseBench(const SceneSubject& subject, float yaw) {
  std::vector<BenchEntry> entries;
  firstEntries_.assign(carriers_.size(), 0);
  for (const std::uint32_t c : drawn_) {
    firstEntries_[c] = entries.size();
    const CarrierFacts& facts = facts_.carriers[c];
    const bool one = facts.slots.count() == 1;
    entries.insert(entries.end(), facts.slots.count(), {carriers_[c].kind, one ? facts.ahead : std::nullopt});
  }
  StagePlans none;
  take((subject.plans != nullptr ? *subject.plans : none).stacks({entries, neighbours(), yaw, subject.space}));
}

void SceneLayout::take(const StagePlan& plan) {
  bench_ = plan.bench;
  setting_ = plan.setting;
  look(setting_.yaw);
  // Grid points keep their places within each stack.
  const glm::vec2 off{static_cast<float>(outputLow_.x + outputHigh_.x - low_.x - high_.x) / 2,
                      pitch_ * static_cast<float>(outputLow_.y + outputHigh_.y - low_.y - high_.y) / 2};
  const glm::vec2 output = setting_.output - setting_.outputScale * off;
  outputShift_ = {output.x, 0, output.y};
}

float SceneLayout::plate(float scale) const {
  if (isFlat()) return 1;
  return std::min(1.0F, kPlate * setting_.deck / (thickness_ * scale));
}

void SceneLayout::look(float yaw) {
  homeYaw_ = yaw - kHome;
  side_ = {std::cos(yaw), 0, -std::sin(yaw)};
}

std::optional<GridPoint> SceneLayout::pointOf(std::uint32_t carrier, const CarrierCell& cell) const {
  // In an array whose shape does not say where its cells lie, only those with a copy show it themselves.
  const bool known = cell.cell.origin.kind == recording::Origin::Kind::Element;
  if (cell.placed && (known || !flattened_[carrier])) return cell.at;
  const CarrierFacts& facts = facts_.carriers[carrier];
  const auto index = static_cast<std::size_t>(cell.index);
  if (index < facts.firstPlaces.size() && facts.firstPlaces[index]) return facts.firstPlaces[index];
  if (flattened_[carrier]) return std::nullopt;
  return offsets_[carrier] + facts.shape.point(cell.index);
}

float SceneLayout::heightOf(std::int64_t plane) const {
  if (arrangement_ == SceneArrangement::Planes) {
    return setting_.deck * (static_cast<float>(plane) - static_cast<float>(low_.z + high_.z) / 2);
  }
  const auto distance = static_cast<float>(plane - focus_);
  if (distance <= 1 && distance >= -1) return distance * gap_;
  return distance < 0 ? -kLowerDeck * gap_ + deck_ * (distance + 2) : kUpperDeck * gap_ + deck_ * (distance - 2);
}

SceneSpot SceneLayout::inputSpot(std::int64_t plane) const {
  if (arrangement_ == SceneArrangement::Planes || beside_) {
    const bool under = arrangement_ == SceneArrangement::Flat;  // its copies
    const float height = under ? -kSunken * thickness_ : heightOf(plane), scale = setting_.inputScale;
    return {glm::vec3(setting_.input.x, height, setting_.input.y), scale, plate(scale)};
  }
  return {rise(heightOf(plane) - (arrangement_ == SceneArrangement::Points ? 0 : kSunken * thickness_))};
}

std::size_t SceneLayout::slotsOf(std::uint32_t carrier) const {
  return arrangement_ == SceneArrangement::Planes ? facts_.carriers[carrier].slots.count() : 1;
}

std::size_t SceneLayout::slotOf(std::uint32_t carrier, std::int64_t index) const {
  return arrangement_ == SceneArrangement::Planes ? facts_.carriers[carrier].slots.of(index) : 0;
}

SceneSpot SceneLayout::slotSpot(std::uint32_t carrier, std::size_t slot) const {
  if (arrangement_ != SceneArrangement::Planes) {
    return beside_ ? SceneSpot{{setting_.input.x, 0, setting_.input.y}} : SceneSpot{rise(heightOf(low_.z))};
  }
  const glm::vec2 at = bench_.slot(firstEntries_[carrier] + slot);
  return {{at.x, 0, at.y}};
}

std::optional<SceneFace> SceneLayout::frontOf(std::uint32_t carrier, std::size_t slot) const {
  if (arrangement_ != SceneArrangement::Planes) { return std::nullopt; }
  const std::size_t entry = firstEntries_[carrier] + slot;
  const float length = count(low_.x, high_.x);
  return SceneFace{.origin = {bench_.slot(entry).x - length / 2, 0, bench_.boardOf(entry).high.y},
                   .along = {1, 0, 0},
                   .down = {0, -1, 0},
                   .length = length,
                   .height = bench_.thickness()};
}

SceneSpot SceneLayout::outputSpot(std::int64_t plane) const {
  if (arrangement_ == SceneArrangement::Planes) {
    const float scale = setting_.outputScale;
    return {outputShift_ + glm::vec3(0, heightOf(plane), 0), scale, plate(scale)};
  }
  if (beside_) return {outputShift_, setting_.outputScale};
  return {outputShift_ + rise(heightOf(plane))};
}

glm::vec3 SceneLayout::placeFolded(const SceneSpot& spot, const GridPoint& at) const {
  const float centreX = static_cast<float>(low_.x + high_.x + 1) / 2;
  const float centreY = static_cast<float>(low_.y + high_.y + 1) / 2;
  return spot.origin +
         spot.scale * glm::vec3(static_cast<float>(at.x) - centreX, 0, pitch_ * (static_cast<float>(at.y) - centreY));
}

bool SceneLayout::isOpen(std::int64_t plane) const { return isFlat() || std::abs(plane - focus_) <= 1; }

std::vector<glm::vec3> SceneLayout::extent() const {
  std::vector<glm::vec3> points;
  const auto add = [&](const SceneSpot& spot, const GridPoint& low, const GridPoint& high) {
    for (const float height : {0.0F, thickness_ * spot.scale}) {
      const SceneSpot at = spot.raised(height);
      const glm::vec3 size = cell(spot);
      points.push_back(placeFolded(at, {0, low.y, low.x}));
      points.push_back(placeFolded(at, {0, high.y, low.x}) + glm::vec3(0, 0, size.z));
      points.push_back(placeFolded(at, {0, low.y, high.x}) + glm::vec3(size.x, 0, 0));
      points.push_back(placeFolded(at, {0, high.y, high.x}) + size);
    }
  };
  const bool apart = arrangement_ == SceneArrangement::Planes || beside_;
  for (const std::int64_t z : {low_.z, high_.z}) {
    add(apart ? inputSpot(z) : SceneSpot{rise(heightOf(z))}, low_, high_);
  }
  if (strip_) points.push_back(placeFolded({}, low_) - glm::vec3(0, 0, ruler_));
  add(outputSpot(outputLow_.z), outputLow_, outputHigh_);
  add(outputSpot(outputHigh_.z), outputLow_, outputHigh_);
  for (const glm::vec2& corner : bench_.corners()) {
    for (const float height : {-bench_.thickness(), thickness_}) { points.emplace_back(corner.x, height, corner.y); }
  }
  if (standsBeside()) {  // the corners that are spared are those of the whole picture
    for (const glm::vec2 corner : {setting_.reach, -setting_.reach}) {
      points.push_back(side_ * (setting_.middle.x + corner.x) +
                       glm::vec3(0, (corner.y - setting_.middle.y) / std::cos(kHomePitch), 0));
    }
  }
  return points;
}

}  // namespace haloscope::render
