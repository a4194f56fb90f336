#pragma once

#include <array>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <optional>
#include <vector>

#include "render/SceneBuilder.h"

/// Pieces of a scene laid out on the picture's plane, as seen from home, so that none covers another.
namespace haloscope::render {

/// How a scene is seen from a yaw, at the pitch of home. Of the picture's plane x points right, y down; its unit is the
/// edge of a cell.
struct StageView {
  explicit StageView(float yaw);

  [[nodiscard]] glm::vec2 seen(const glm::vec3& at) const;
  /// The point of the ground that is seen at a place of the picture.
  [[nodiscard]] glm::vec2 onGround(glm::vec2 at) const;
  /// How long the shorter edge of a cell is seen.
  [[nodiscard]] float shortEdge() const;

  glm::vec2 across, towards;  ///< on the ground: to the picture's right, and towards the viewer
  float sine, cosine;         ///< of the pitch
};

/// What a box, or a rectangle of the picture, covers: where it lies along each direction that parts it from others. Two
/// convex pieces are apart if they are along the normal of some edge, and the edges of boxes seen from one place have
/// three directions.
class Cover {
 public:
  static Cover ofBox(const StageView& view, const glm::vec3& low, const glm::vec3& high);
  static Cover ofRectangle(const StageView& view, glm::vec2 low, glm::vec2 high);

  [[nodiscard]] glm::vec2 low() const { return {spans_[0].low, spans_[1].low}; }
  [[nodiscard]] glm::vec2 high() const { return {spans_[0].high, spans_[1].high}; }
  [[nodiscard]] Cover moved(glm::vec2 by) const;
  /// The least cover of both.
  [[nodiscard]] Cover with(const Cover& other) const;
  [[nodiscard]] bool meets(const Cover& other) const;

 private:
  struct Span {
    float low = 0, high = 0;
  };
  static constexpr std::size_t kDirections = 4;  ///< across, down, and across the edges along the ground's axes

  explicit Cover(const StageView& view);
  void include(glm::vec2 point, bool first);

  std::array<glm::vec2, kDirections> normals_{};
  std::array<Span, kDirections> spans_{};
};

/// What is laid out: the boards of a bench, which keep their places towards each other, and a stack at each side. Each
/// is centred on where it is placed.
struct StagePieces {
  std::vector<Cover> bench;
  Cover input, output;
};

/// Where they are, in a picture whose upper left corner is the origin, and the picture's size.
struct StagePlaces {
  glm::vec2 bench{0}, input{0}, output{0};
  glm::vec2 picture{1};
};

/// Places in a picture of `width` cells, apart from each other, from what SceneSpace says is covered, and from the
/// words below each stack; none if they do not fit. The input is at the left, the output at the right.
[[nodiscard]] std::optional<StagePlaces> placed(const StageView& view, const StagePieces& pieces,
                                                const SceneSpace& space, float width);

}  // namespace haloscope::render
