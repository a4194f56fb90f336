#include "render/BenchSetting.h"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <limits>
#include <utility>

#include "render/SceneModel.h"

namespace haloscope::render {

namespace {

constexpr float kInputScale = 0.68F, kOutputScale = 0.84F;  ///< of stacks
constexpr float kInputMargin = 1;                           ///< cells of a stack that its frame takes
constexpr float kLeastDeck = 0.16F, kMostDeck = 2.2F;       ///< from grid plane to grid plane
constexpr float kLeastFrontDeck = 0.5F, kThinner = 0.9F;    ///< likewise before and behind the bench, by which steps
constexpr float kFreeBeside = 0.38F;                        ///< of the width: before the bench, where it is still far
constexpr float kWide = 1.6F;                               ///< width over depth of a plane
constexpr float kSheetsApart = 2;                           ///< cells between bench and sheets
constexpr float kWordsBefore = 0.8F;                        ///< as seen, by its height: words on the ground before it
constexpr float kApart = 0.5F;                              ///< cells between bench and stacks

/// A bench may lie across the picture by so much that a square's edges still look about equal, and does if its cells
/// grow by as much.
constexpr float kMostTurn = 0.28F, kTurnStep = 0.04F, kWorthATurn = 1.015F;

/// The bench and its stacks as seen from a yaw.
class Stacks {
 public:
  Stacks(const SceneBench& bench, const BenchNeighbours& neighbours, float yaw, const SceneSpace& space)
      : bench_(bench), space_(space), yaw_(yaw), planes_(neighbours.planes) {
    for (const glm::vec2& corner : bench.corners()) {
      left_ = std::min(left_, glm::dot(across_, corner));
      right_ = std::max(right_, glm::dot(across_, corner));
      far_ = std::min(far_, glm::dot(towards_, corner));
      near_ = std::max(near_, glm::dot(towards_, corner));
    }
    const glm::vec2 input = kInputScale * (neighbours.slot + kInputMargin);
    inputWidth_ = extent(input, across_);
    const glm::vec2 output = kOutputScale * neighbours.outputs;
    outputWidth_ = extent(output, across_);
    flat_ = extent(input, towards_) * sine_;
    besideWidth_ = right_ - left_ + 2 * kApart + inputWidth_ + outputWidth_;
    const float benchHeight = (near_ - far_) * sine_ + bench.thickness() * cosine_;
    besideHeight_ = std::max(space.aspect * besideWidth_, benchHeight);
    // The input's stack stands above what covers the corner there, the output's below.
    const float outputFlat = extent(output, towards_) * sine_;
    const float inputRoom = 1 - space.name - space.lowerLeft.y, outputRoom = 1 - space.name - space.upperRight.y;
    const auto deckFor = [&](float room, float flat, float planes) {
      return (besideHeight_ * room - flat) / (cosine_ * planes);
    };
    besideDeck_ = std::clamp(std::min(deckFor(inputRoom, flat_, neighbours.planes),
                                      deckFor(outputRoom, outputFlat, neighbours.outputPlanes)),
                             kLeastDeck, kMostDeck);
    const float outputHeight = besideDeck_ * neighbours.outputPlanes * cosine_ + outputFlat;
    besideCells_ =
        std::min(1 / besideWidth_,
                 space.aspect / std::max({height(besideDeck_) / inputRoom, outputHeight / outputRoom, benchHeight}));
  }

  /// The edge of a cell, as a share of the picture's width, with the stacks beside the bench.
  [[nodiscard]] float besideCells() const { return besideCells_; }

  [[nodiscard]] BenchSetting beside() const {
    BenchSetting setting = common();
    setting.beside = true;
    setting.freeAt = kFreeBeside;
    setting.deck = besideDeck_;
    setting.reach = glm::vec2(std::max(besideWidth_, besideHeight_ / space_.aspect), besideHeight_) / 2.0F;
    setting.middle = (left_ + right_ + outputWidth_ - inputWidth_) / 2;
    // All stands so far to the right that the bench keeps clear of the lower left corner, if there is room.
    const glm::vec2 taken = (2.0F * space_.lowerLeft - 1.0F) * setting.reach;
    float aside = 0;
    for (const glm::vec2& corner : bench_.corners()) {
      const float low = -glm::dot(towards_, corner) * sine_ - bench_.thickness() * (cosine_ + kWordsBefore);
      if (low < taken.y) { aside = std::max(aside, taken.x - (glm::dot(across_, corner) - setting.middle)); }
    }
    setting.middle -= std::min(aside, setting.reach.x - besideWidth_ / 2);
    const float up = besideHeight_ / 2 / sine_;
    setting.input = onGround({left_ - kApart - inputWidth_ / 2, -up * (space_.lowerLeft.y + space_.name)});
    setting.output = onGround({right_ + kApart + outputWidth_ / 2, up * (space_.upperRight.y - space_.name)});
    return setting;
  }

  /// The stacks before and behind the bench, with the edge of a cell as a share of the picture's width.
  [[nodiscard]] std::pair<BenchSetting, float> inFront() const {
    float deck = kMostDeck;
    const auto [across, upward] = frontRoom();
    while (deck > kLeastFrontDeck && frontHeight(deck) > upward / across * (right_ - left_)) {
      deck = std::max(deck * kThinner, kLeastFrontDeck);
    }
    BenchSetting setting = common();
    setting.freeAt = 1;
    setting.deck = deck;
    const auto [input, output] = frontPlaces(deck);
    setting.input = onGround(input);
    setting.output = onGround(output);
    return {setting, std::min(across / (right_ - left_), upward / frontHeight(deck))};
  }

 private:
  /// Beside and above what covers the corners, by the picture's width.
  [[nodiscard]] std::pair<float, float> frontRoom() const {
    return {1 - space_.upperRight.x, space_.aspect * (1 - space_.lowerLeft.y)};
  }
  [[nodiscard]] BenchSetting common() const {
    return {.yaw = yaw_, .inputScale = kInputScale, .outputScale = kOutputScale};
  }
  [[nodiscard]] static float extent(glm::vec2 of, glm::vec2 along) { return glm::dot(glm::abs(along), of); }
  /// `at`: to the picture's right, and towards the viewer.
  [[nodiscard]] glm::vec2 onGround(glm::vec2 at) const { return across_ * at.x + towards_ * at.y; }
  [[nodiscard]] float height(float deck) const { return deck * planes_ * cosine_ + flat_; }

  /// Of input and output, along the lines that touch the bench, parallel to its length, before and behind it.
  [[nodiscard]] std::pair<glm::vec2, glm::vec2> frontPlaces(float deck) const {
    const float slope = towards_.x / across_.x;
    float before = std::numeric_limits<float>::lowest(), behind = std::numeric_limits<float>::max();
    for (const glm::vec2& corner : bench_.corners()) {
      const float offset = glm::dot(towards_, corner) - slope * glm::dot(across_, corner);
      before = std::max(before, offset);
      behind = std::min(behind, offset);
    }
    const float apart = (height(deck) + kApart) / 2 / sine_;
    return {{left_ + inputWidth_ / 2, before + slope * (left_ + inputWidth_) + apart},
            {right_ - outputWidth_ / 2, behind + slope * (right_ - outputWidth_) - apart}};
  }
  [[nodiscard]] float frontHeight(float deck) const {
    const auto [input, output] = frontPlaces(deck);
    const float half = height(deck) / 2;
    return std::max(near_ * sine_, input.y * sine_ + half) - std::min(far_ * sine_, output.y * sine_ - half);
  }

  const SceneBench& bench_;
  const SceneSpace& space_;
  float yaw_, planes_;
  glm::vec2 across_{std::cos(yaw_), -std::sin(yaw_)}, towards_{std::sin(yaw_), std::cos(yaw_)};
  float sine_ = std::sin(kHomePitch), cosine_ = std::cos(kHomePitch);
  float left_ = 0, right_ = 0, far_ = 0, near_ = 0;  ///< the bench, across and towards the viewer
  float inputWidth_ = 0, outputWidth_ = 0, flat_ = 0;
  float besideWidth_ = 0, besideHeight_ = 0, besideDeck_ = 0, besideCells_ = 0;
};

}  // namespace

BenchSetting stacksAround(const SceneBench& bench, const BenchNeighbours& neighbours, float yaw,
                          const SceneSpace& space) {
  const Stacks straight(bench, neighbours, yaw, space);
  float best = yaw, cells = straight.besideCells();
  for (float turn = 0; turn >= -kMostTurn; turn -= kTurnStep) {
    const float turned = Stacks(bench, neighbours, yaw + turn, space).besideCells();
    if (turned > cells * kWorthATurn) {
      best = yaw + turn;
      cells = turned;
    }
  }
  const auto [front, frontCells] = straight.inFront();
  return frontCells > kMuchLarger * cells ? front : Stacks(bench, neighbours, best, space).beside();
}

BenchSetting sheetsBeside(const SceneBench& bench, const BenchNeighbours& neighbours, float yaw) {
  glm::vec2 low{0}, high{0};
  for (const glm::vec2& corner : bench.corners()) {
    low = glm::min(low, corner);
    high = glm::max(high, corner);
  }
  const glm::vec2 slot = neighbours.slot / 2.0F, outputs = neighbours.outputs / 2.0F;
  BenchSetting setting{.yaw = yaw, .wide = slot.x > kWide * slot.y};
  setting.input =
      setting.wide ? glm::vec2(0, high.y + kSheetsApart + slot.y) : glm::vec2(low.x - kSheetsApart - slot.x, 0);
  setting.output =
      setting.wide ? glm::vec2(0, low.y - kSheetsApart - outputs.y) : glm::vec2(high.x + kSheetsApart + outputs.x, 0);
  return setting;
}

}  // namespace haloscope::render
