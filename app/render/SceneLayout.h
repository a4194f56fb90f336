#pragma once

#include <array>
#include <cstdint>
#include <glm/vec3.hpp>
#include <optional>
#include <vector>

#include "recording/BlockView.h"
#include "render/SceneBuilder.h"
#include "render/SceneFacts.h"
#include "render/SceneModel.h"

namespace haloscope::render {

/// The stacks of the scene. Their planes are parallel; those of different stacks at one height hold the same grid
/// plane.
enum class SceneStack : std::uint8_t { Input, Output };

/// How a block is laid out.
enum class SceneArrangement : std::uint8_t {
  Points,  ///< no copies: the input points that the block reads, next to its output tile
  Tile,    ///< a shared array of several planes, next to the output tile
  Planes,  ///< carriers of one plane each, one above the other, next to the output tile; the rest of the grid's planes
           ///< are thin frames below (passed) and above (to come)
  Flat,    ///< a 2D problem: the output tile floats above the input, or lies beside it where there is little height
};

/// Where things of the block lie in the scene. A stack of planes opens around one of them, the *focus*, so that three
/// planes can be seen whole; the others lie close together below and above, like a deck of cards held open by a thumb.
class SceneLayout {
 public:
  /// `thread` is the selected one: its plane is the focus of a tile.
  SceneLayout(const SceneFacts& facts, const recording::Footprint& footprint,
              const std::vector<recording::Carrier>& carriers, const recording::BlockView& view, std::uint32_t thread,
              const SceneSpace& space);

  [[nodiscard]] SceneArrangement arrangement() const { return arrangement_; }
  [[nodiscard]] bool isFlat() const { return low_.z == high_.z; }
  /// A problem without planes: every thread's filter window lies in one of them.
  [[nodiscard]] bool hasWindows() const { return isFlat() && arrangement_ != SceneArrangement::Planes; }
  /// Whether the output has its place over or under the input, cell by cell, instead of next to it.
  [[nodiscard]] bool floats() const { return hasWindows() && !beside_; }
  /// A 1D array, drawn as a strip of values: the output lies below the input, seen from above.
  [[nodiscard]] bool isStrip() const { return strip_; }
  /// Indices of the carriers to draw, lowest first.
  [[nodiscard]] const std::vector<std::uint32_t>& carriers() const { return drawn_; }
  /// The grid point of a carrier's cell: where it is, or will be. None for one that is never filled, in an array whose
  /// shape does not say.
  [[nodiscard]] std::optional<recording::GridPoint> pointOf(std::uint32_t carrier,
                                                            const recording::CarrierCell& cell) const;

  /// Height of a grid plane: its cells' lower side.
  [[nodiscard]] float heightOf(std::int64_t plane) const;
  /// Height of a carrier's cell: that of its slot, in Planes, else that of its grid plane.
  [[nodiscard]] float heightOf(std::uint32_t carrier, std::int64_t plane) const;
  /// Height of an input point that is read from global memory directly: a little below copies of its neighbours.
  [[nodiscard]] float inputHeight(std::int64_t plane) const;
  /// Lower corner of a grid point's cell.
  [[nodiscard]] glm::vec3 place(SceneStack stack, const recording::GridPoint& at, float height) const {
    return placeFolded(stack, fold_(at), height);
  }
  /// The same of a point that is folded already.
  [[nodiscard]] glm::vec3 placeFolded(SceneStack stack, const recording::GridPoint& at, float height) const;
  /// From a plane of a stack to what lies this much higher in it.
  [[nodiscard]] glm::vec3 rise(float height) const { return glm::vec3(0, height, 0) + side_ * (lean_ * height); }
  [[nodiscard]] const SceneFold& fold() const { return fold_; }
  /// From a cell's lower corner to the corner opposite, along x and z.
  [[nodiscard]] glm::vec3 cell() const { return {1, 0, depth_}; }
  [[nodiscard]] std::vector<SceneRuler> rulers() const;
  [[nodiscard]] float thickness() const { return thickness_; }
  /// Whether a plane is one of those that can be seen whole.
  [[nodiscard]] bool isOpen(std::int64_t plane) const;

  [[nodiscard]] std::int64_t focus() const { return focus_; }
  [[nodiscard]] recording::GridPoint low() const { return low_; }          ///< of all that is drawn, folded, inclusive
  [[nodiscard]] recording::GridPoint high() const { return high_; }        ///< likewise
  [[nodiscard]] std::int64_t lowestHeld() const { return lowestHeld_; }    ///< in Planes: now, by the carriers
  [[nodiscard]] std::int64_t highestHeld() const { return highestHeld_; }  ///< likewise
  [[nodiscard]] float homeYaw() const { return homeYaw_; }                 ///< see SceneModel
  [[nodiscard]] glm::vec3 side() const { return side_; }  ///< unit vector to the picture's right, seen from home
  [[nodiscard]] float gap() const { return gap_; }        ///< between open planes
  /// Points that a good framing shows.
  [[nodiscard]] std::vector<glm::vec3> extent() const;

 private:
  void chooseArrangement(const recording::BlockView& view);
  void findBounds(const recording::Footprint& footprint, const recording::BlockView& view);
  void chooseFold(const recording::Footprint& footprint);
  void chooseStrip(const SceneSpace& space);
  bool spreadStrip(const SceneSpace& space, float columns, float rows);
  [[nodiscard]] std::int64_t firstLane() const;
  void foldEnds();
  void foldBounds();
  void chooseFocus(const recording::BlockView& view, std::uint32_t thread);
  void chooseHeights(float aspect);
  void chooseSlots();
  [[nodiscard]] static float gapFor(float aspect, float width, float depth, float gaps, float rest, float least,
                                    float most);

  const SceneFacts& facts_;
  const std::vector<recording::Carrier>& carriers_;
  SceneArrangement arrangement_ = SceneArrangement::Points;
  std::vector<std::uint32_t> drawn_;
  std::vector<recording::GridPoint> offsets_;  ///< per carrier: grid point of its cell 0
  std::vector<float> slots_;                   ///< per carrier, in Planes: its height
  SceneFold fold_;
  float pitch_ = 1;  ///< from row to row
  float depth_ = 1;  ///< of a cell
  bool strip_ = false;
  bool beside_ = false;  ///< a flat output that does not float
  float ruler_ = 0;      ///< strip: height of the indices above a row
  recording::GridPoint low_, high_;
  std::int64_t lowX_ = 0, highX_ = 0;  ///< of all that is drawn, before it is folded
  recording::GridPoint outputLow_, outputHigh_;
  std::int64_t focus_ = 0, lowestHeld_ = 0, highestHeld_ = 0;
  float lean_ = 0;  ///< of stacks of planes: to the side, by height
  float gap_ = 1, deck_ = 1, thickness_ = 0.25F, homeYaw_ = 0, topSlot_ = 0, bottomSlot_ = 0;
  glm::vec3 side_{1, 0, 0}, outputShift_{0};
};

}  // namespace haloscope::render
