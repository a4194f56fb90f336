#include "render/BenchSetting.h"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <limits>
#include <optional>

#include "render/StagePacking.h"

namespace haloscope::render {

namespace {

constexpr float kInputScale = 0.68F, kOutputScale = 0.84F;  ///< of stacks, at least
constexpr float kScaleStep = 0.04F;                         ///< by which they grow where there is room
constexpr float kInputMargin = kFrame;                      ///< cells of a stack that its frame takes
constexpr float kLeastDeck = 0.16F, kMostDeck = 2.2F;       ///< from grid plane to grid plane
constexpr float kStackHeight = 5, kOpenDeck = 0.7F;         ///< cells of a stack; a deck whose planes are seen apart
constexpr float kThinner = 0.92F;                           ///< by which steps decks are tried
constexpr float kFreeBeside = 0.38F;                        ///< of the width: before the bench, where it is still far
constexpr float kWordsBefore = 1.4F;                        ///< ground before it, by its height, on which words stand
constexpr float kLetters = 1;                               ///< height of a front, by a line of text
constexpr float kThickest = 0.4F;                           ///< of a board, by a slot's shorter edge
constexpr float kPicture = 8;  ///< the widest picture that is tried, in widths of the bench
constexpr int kHalvings = 7;

/// A bench may lie across the picture by so much that a square's edges still look about equal, and does if its cells
/// grow by as much; so it is with further lines of slots.
constexpr float kMostTurn = 0.28F, kTurnStep = 0.07F, kWorthATurn = 1.015F;
constexpr std::array<std::size_t, 6> kLines = {1, 2, 3, 5, 6, 8};  ///< slots in line, beside the usual number

/// A bench and its stacks as seen from a yaw.
class Stacks {
 public:
  Stacks(const SceneBench& bench, const BenchNeighbours& neighbours, float yaw, const SceneSpace& space)
      : bench_(bench),
        near_(neighbours),
        space_(space),
        view_(yaw),
        boards_(boards()),
        open_(std::clamp(kStackHeight / neighbours.planes, kLeastDeck, kOpenDeck)) {
    const bool alone = bench.boards().empty();
    scales_ = alone ? glm::vec2(1) : glm::vec2(kInputScale, kOutputScale);
    // No picture is narrower than what it has to show.
    glm::vec2 low{0}, high{0};
    for (const Cover& board : boards_) {
      low = glm::min(low, board.low());
      high = glm::max(high, board.high());
    }
    const StagePieces least = pieces(open_, scales_);
    const float stacks = least.input.high().x - least.input.low().x + least.output.high().x - least.output.low().x;
    const float tallest = std::max(
        {high.y - low.y, least.input.high().y - least.input.low().y, least.output.high().y - least.output.low().y});
    narrowest_ = std::max({high.x - low.x, stacks / 2, tallest / space.aspect});
  }

  /// Of a picture in which all has its place, in cells; none if that would be tiny.
  [[nodiscard]] std::optional<float> width() const {
    const StagePieces all = pieces(open_, scales_);
    float fits = narrowest_ * kPicture, small = narrowest_;
    if (!placed(view_, all, space_, fits)) { return std::nullopt; }
    for (int i = 0; i < kHalvings; ++i) {
      const float middle = std::sqrt(fits * small);
      (placed(view_, all, space_, middle) ? fits : small) = middle;
    }
    return fits;
  }

  /// In a picture of this width: stacks as high, then as large as there is room for.
  [[nodiscard]] BenchSetting setting(float yaw, float width) const {
    float deck = open_;
    glm::vec2 scales = scales_;
    std::optional<StagePlaces> places = placed(view_, pieces(deck, scales), space_, width);
    const auto improve = [&](float otherDeck, glm::vec2 otherScales) {
      const auto found = placed(view_, pieces(otherDeck, otherScales), space_, width);
      if (!found) { return false; }
      places = found;
      deck = otherDeck;
      scales = otherScales;
      return true;
    };
    const auto grow = [&](float most) {
      for (glm::vec2 more : {glm::vec2(kScaleStep, 0), glm::vec2(0, kScaleStep)}) {
        while (glm::dot(scales, glm::sign(more)) < most && improve(deck, scales + more)) {}
      }
    };
    grow(kOutputScale);
    if (near_.planes > 1) {
      for (float other = kMostDeck; other > open_ && !improve(other, scales);) { other *= kThinner; }
    }
    grow(1);
    BenchSetting setting{.yaw = yaw, .deck = deck, .inputScale = scales.x, .outputScale = scales.y, .beside = true};
    setting.freeAt = kFreeBeside;
    const StagePlaces at = places.value_or(StagePlaces{.picture = glm::vec2(width, width * space_.aspect)});
    setting.reach = at.picture / 2.0F;
    setting.middle = setting.reach - at.bench;
    setting.input = view_.onGround(at.input - at.bench);
    setting.output = view_.onGround(at.output - at.bench);
    return setting;
  }

 private:
  [[nodiscard]] std::vector<Cover> boards() const {
    std::vector<Cover> covers;
    const float thickness = bench_.thickness();
    for (const SceneBench::Board& board : bench_.boards()) {
      covers.push_back(
          Cover::ofBox(view_, {board.low.x, -thickness, board.low.y}, {board.high.x, near_.thickness, board.high.y}));
      if (!board.foremost) { continue; }
      covers.push_back(Cover::ofBox(view_, {board.low.x, -thickness, board.high.y},
                                    {board.high.x, -thickness, board.high.y + kWordsBefore * thickness}));
    }
    return covers;
  }

  [[nodiscard]] StagePieces pieces(float deck, glm::vec2 scales) const {
    const auto stack = [&](glm::vec2 size, float planes, float rise, float scale) {
      const glm::vec2 half = scale * size / 2.0F;
      const float low = deck * (rise - (planes - 1) / 2), high = deck * (rise + (planes - 1) / 2);
      return Cover::ofBox(view_, {-half.x, low, -half.y}, {half.x, high + near_.thickness * scale, half.y});
    };
    return {boards_, stack(near_.slot + kInputMargin, near_.planes, 0, scales.x),
            stack(near_.outputs, near_.outputPlanes, near_.outputRise, scales.y)};
  }

  const SceneBench& bench_;
  const BenchNeighbours& near_;
  const SceneSpace& space_;
  StageView view_;
  std::vector<Cover> boards_;
  float open_;  ///< the least deck
  glm::vec2 scales_{1};
  float narrowest_ = 1;
};

/// How the slots of a bench are divided into lines.
struct Shape {
  std::size_t inLine = SceneBench::kInLine;
  bool abreast = false;

  [[nodiscard]] SceneBench bench(const StageWish& wish, float thickness = 0) const {
    return {wish.entries, wish.neighbours.slot, inLine, abreast, thickness};
  }
};

/// Those that are tried: the planes of a rotation lie in one line.
std::vector<Shape> shapesFor(const StageWish& wish) {
  const std::vector<BenchEntry>& entries = wish.entries;
  std::vector<Shape> shapes;
  const auto free = std::ranges::count_if(entries, [](const BenchEntry& entry) { return !entry.ahead; });
  const bool both = std::ranges::any_of(entries, [&](const auto& entry) { return entry.kind != entries[0].kind; });
  for (const bool abreast : {false, true}) {
    if (abreast && !both) { break; }
    shapes.push_back({.abreast = abreast});
    for (const std::size_t inLine : kLines) {
      if (free < 2 || inLine > entries.size()) { continue; }
      shapes.push_back({inLine, abreast});
    }
  }
  return shapes;
}

/// Its boards are so thick that the names on their fronts can be read, as far as that does not make towers of them.
StagePlan legible(const StageWish& wish, const Shape& shape, float yaw, float width, const SceneSpace& space) {
  SceneBench bench = shape.bench(wish);
  const float line = kLetters * space.line * width / space.width / std::cos(kHomePitch);
  const float wanted = std::min(line, kThickest * std::min(wish.neighbours.slot.x, wish.neighbours.slot.y));
  if (!bench.boards().empty() && wanted > bench.thickness()) {
    const SceneBench thicker = shape.bench(wish, wanted);
    if (const auto found = Stacks(thicker, wish.neighbours, yaw, space).width()) {
      bench = thicker;
      width = *found;
    }
  }
  return {bench, Stacks(bench, wish.neighbours, yaw, space).setting(yaw, width)};
}

}  // namespace

StagePlan stacksAround(const StageWish& wish) {
  const std::vector<Shape> shapes = shapesFor(wish);
  for (const bool all : {true, false}) {
    SceneSpace space = wish.space;
    if (!all) { space.lowerLeft = space.upperRight = glm::vec2(0); }  // so much is covered that nothing fits beside it
    std::optional<Shape> best;
    float yaw = wish.yaw, width = std::numeric_limits<float>::max(), edges = width;
    for (const Shape& shape : shapes) {
      const SceneBench bench = shape.bench(wish);
      for (float turn = 0; turn >= -kMostTurn; turn -= kTurnStep) {
        const auto found = Stacks(bench, wish.neighbours, wish.yaw + turn, space).width();
        if (!found) { continue; }
        // How many short edges go across: what can be read of a cell. Then a turn makes the long ones longer.
        const float across = *found / StageView(wish.yaw + turn).shortEdge();
        const bool larger = across * kWorthATurn < edges, alike = across < edges * kWorthATurn;
        if (!larger && (!alike || *found * kWorthATurn >= width)) { continue; }
        best = shape;
        yaw = wish.yaw + turn;
        width = *found;
        edges = std::min(edges, across);
      }
    }
    if (best) { return legible(wish, *best, yaw, width, space); }
  }
  SceneSpace space = wish.space;
  space.lowerLeft = space.upperRight = glm::vec2(0);
  const float width = kPicture * wish.neighbours.slot.x;
  const SceneBench bench = shapes[0].bench(wish);
  return {bench, Stacks(bench, wish.neighbours, wish.yaw, space).setting(wish.yaw, width)};
}

const StagePlan& StagePlans::stacks(const StageWish& wish) {
  if (!known_ || wish != wish_) {
    plan_ = stacksAround(wish);
    wish_ = wish;
    known_ = true;
  }
  return plan_;
}

}  // namespace haloscope::render
