#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <optional>
#include <vector>

#include "recording/BlockView.h"
#include "render/BenchSetting.h"
#include "render/SceneBench.h"
#include "render/SceneBuilder.h"
#include "render/SceneFacts.h"
#include "render/SceneModel.h"

namespace haloscope::render {

/// Where a plane of grid points lies, parallel to the ground: the place of the middle of all that is drawn of the grid,
/// the edge of a cell, and how thick its cells are, by their edge and SceneLayout::thickness().
struct SceneSpot {
  glm::vec3 origin{0};
  float scale = 1;
  float flat = 1;

  [[nodiscard]] SceneSpot raised(float by) const { return {origin + glm::vec3(0, by, 0), scale, flat}; }
  bool operator==(const SceneSpot&) const = default;
};

/// How a block is laid out.
enum class SceneArrangement : std::uint8_t {
  Points,  ///< no copies: the input points that the block reads, next to its output tile
  Planes,  ///< each plane that is kept has a slot of a bench, between the planes of the input and of the output
  Flat,    ///< a long thin 2D problem: the output tile floats above the input, or lies beside it
};

/// Where things of the block lie in the scene. A stack of planes opens around one of them, the *focus*, so that three
/// planes can be seen whole; the others lie close together below and above, like a deck of cards held open by a thumb.
class SceneLayout {
 public:
  explicit SceneLayout(const SceneSubject& subject);

  [[nodiscard]] SceneArrangement arrangement() const { return arrangement_; }
  [[nodiscard]] bool isFlat() const { return low_.z == high_.z; }
  /// A problem without planes: every thread's filter window lies in one of them.
  [[nodiscard]] bool hasWindows() const {
    return isFlat() && (arrangement_ != SceneArrangement::Planes || !facts_.rotates);
  }
  /// Whether the output has its place over or under the input, cell by cell, instead of next to it.
  [[nodiscard]] bool floats() const { return isFlat() && arrangement_ != SceneArrangement::Planes && !beside_; }
  /// The input's stack is at the picture's left edge, the bench in the middle.
  [[nodiscard]] bool standsBeside() const { return setting_.beside; }
  /// Of the corners that SceneSpace says are covered.
  [[nodiscard]] SceneClear clear() const { return standsBeside() ? SceneClear::Corners : clear_; }
  /// A 1D array, drawn as a strip of values: the output lies below the input, seen from above.
  [[nodiscard]] bool isStrip() const { return strip_; }
  /// Indices of the carriers to draw, lowest first.
  [[nodiscard]] const std::vector<std::uint32_t>& carriers() const { return drawn_; }
  /// The grid point of a carrier's cell: where it is, or will be. None for one that is never filled, in an array whose
  /// shape does not say.
  [[nodiscard]] std::optional<recording::GridPoint> pointOf(std::uint32_t carrier,
                                                            const recording::CarrierCell& cell) const;

  /// Where a plane of the input lies. In Flat it lies a little lower than its copies; in Planes, in its own stack.
  [[nodiscard]] SceneSpot inputSpot(std::int64_t plane) const;
  /// How many slots a carrier has, which of them a cell lies in, and where it lies.
  [[nodiscard]] std::size_t slotsOf(std::uint32_t carrier) const;
  [[nodiscard]] std::size_t slotOf(std::uint32_t carrier, std::int64_t index) const;
  [[nodiscard]] SceneSpot slotSpot(std::uint32_t carrier, std::size_t slot = 0) const;
  [[nodiscard]] SceneSpot carrierSpot(std::uint32_t carrier, const recording::CarrierCell& cell) const {
    return slotSpot(carrier, slotOf(carrier, cell.index));
  }
  /// The front of the bench below a carrier's slot; none if it has no slot.
  [[nodiscard]] std::optional<SceneFace> frontOf(std::uint32_t carrier, std::size_t slot) const;
  [[nodiscard]] SceneSpot outputSpot(std::int64_t plane) const;
  /// Lower corner of a grid point's cell.
  [[nodiscard]] glm::vec3 place(const SceneSpot& spot, const recording::GridPoint& at) const {
    return placeFolded(spot, fold_(at));
  }
  /// The same of a point that is folded already.
  [[nodiscard]] glm::vec3 placeFolded(const SceneSpot& spot, const recording::GridPoint& at) const;
  /// Onto the cells of a plane, and a little more.
  [[nodiscard]] SceneSpot onTop(const SceneSpot& spot, float lift) const {
    return spot.raised(thickness_ * spot.scale * spot.flat + lift);
  }
  [[nodiscard]] const SceneFold& fold() const { return fold_; }
  /// From a cell's lower corner to the corner opposite, along x and z.
  [[nodiscard]] glm::vec3 cell() const { return {1, 0, depth_}; }
  [[nodiscard]] glm::vec3 cell(const SceneSpot& spot) const { return spot.scale * cell(); }
  [[nodiscard]] std::vector<SceneRuler> rulers() const;
  [[nodiscard]] float thickness() const { return thickness_; }
  /// Whether a plane is one of those that can be seen whole.
  [[nodiscard]] bool isOpen(std::int64_t plane) const;

  [[nodiscard]] std::int64_t focus() const { return focus_; }
  [[nodiscard]] recording::GridPoint low() const { return low_; }    ///< of all that is drawn, folded, inclusive
  [[nodiscard]] recording::GridPoint high() const { return high_; }  ///< likewise
  [[nodiscard]] recording::GridPoint outputLow() const { return outputLow_; }    ///< likewise, of the outputs
  [[nodiscard]] recording::GridPoint outputHigh() const { return outputHigh_; }  ///< likewise
  [[nodiscard]] float freeAt() const { return setting_.freeAt; }                 ///< see SceneModel
  [[nodiscard]] const SceneBench& bench() const { return bench_; }               ///< of Planes
  [[nodiscard]] float homeYaw() const { return homeYaw_; }                       ///< see SceneModel
  [[nodiscard]] float gap() const { return gap_; }                               ///< between open planes
  /// Points that a good framing shows.
  [[nodiscard]] std::vector<glm::vec3> extent() const;

 private:
  void chooseArrangement(const recording::Footprint& footprint, const recording::BlockView& view);
  void findBounds(const recording::Footprint& footprint, const recording::BlockView& view);
  void chooseFold(const recording::Footprint& footprint);
  void chooseStrip(const SceneSpace& space);
  bool spreadStrip(const SceneSpace& space, float columns, float rows);
  [[nodiscard]] std::int64_t firstLane() const;
  void foldEnds();
  void foldBounds();
  void chooseFocus(const SceneSubject& subject);
  [[nodiscard]] std::int64_t planeOf(std::uint32_t thread, std::size_t position) const;
  void chooseHeights(const SceneSubject& subject);
  void chooseBench(const SceneSubject& subject, float yaw);
  void take(const StagePlan& plan);
  [[nodiscard]] BenchNeighbours neighbours() const;
  /// How thick planes of a stack are, by SceneLayout::thickness() and their scale: apart from each other.
  [[nodiscard]] float plate(float scale) const;
  /// For clear_. The edge of a cell, as a share of the picture's width.
  float spreadStacks(const SceneSpace& space, float width, float depth);
  void look(float yaw);
  [[nodiscard]] float heightOf(std::int64_t plane) const;
  [[nodiscard]] glm::vec3 rise(float height) const { return glm::vec3(0, height, 0) + side_ * (lean_ * height); }
  [[nodiscard]] static float gapFor(float aspect, float width, float depth, float gaps, float rest, float least,
                                    float most);

  const SceneFacts& facts_;
  const std::vector<recording::Carrier>& carriers_;
  SceneArrangement arrangement_ = SceneArrangement::Points;
  std::vector<std::uint32_t> drawn_;
  std::vector<std::size_t> firstEntries_;      ///< per carrier: of its slots on the bench
  std::vector<recording::GridPoint> offsets_;  ///< per carrier: grid point of its cell 0
  std::vector<char> flattened_;                ///< per carrier: its shape does not say where its cells lie
  SceneBench bench_;                           ///< of Planes: a slot for each of drawn_
  BenchSetting setting_;                       ///< likewise
  SceneFold fold_;
  float pitch_ = 1;  ///< from row to row
  float depth_ = 1;  ///< of a cell
  bool strip_ = false;
  bool beside_ = false;  ///< a flat output that does not float
  float ruler_ = 0;      ///< strip: height of the indices above a row
  recording::GridPoint low_, high_;
  std::int64_t lowX_ = 0, highX_ = 0;  ///< of all that is drawn, before it is folded
  recording::GridPoint outputLow_, outputHigh_;
  std::int64_t focus_ = 0;
  SceneClear clear_ = SceneClear::Above;
  float lean_ = 0;  ///< of stacks of planes: to the side, by height
  float gap_ = 1, deck_ = 1, thickness_ = 0.25F, homeYaw_ = 0;
  glm::vec3 side_{1, 0, 0}, outputShift_{0};
};

}  // namespace haloscope::render
