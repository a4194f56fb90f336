#include "render/StagePacking.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "render/SceneModel.h"

namespace haloscope::render {

namespace {

constexpr float kApart = 0.5F;                ///< cells between pieces
constexpr int kAcross = 9, kDown = 7;         ///< places of the bench that are tried
constexpr int kFromEdge = 9, kStackDown = 9;  ///< likewise of a stack, from its edge of the picture
constexpr float kFarthest = 0.45F;            ///< from there, by the picture's width

}  // namespace

StageView::StageView(float yaw)
    : across(std::cos(yaw), -std::sin(yaw)),
      towards(std::sin(yaw), std::cos(yaw)),
      sine(std::sin(kHomePitch)),
      cosine(std::cos(kHomePitch)) {}

glm::vec2 StageView::seen(const glm::vec3& at) const {
  const glm::vec2 ground{at.x, at.z};
  return {glm::dot(across, ground), glm::dot(towards, ground) * sine - at.y * cosine};
}

float StageView::shortEdge() const { return std::min(glm::length(seen({1, 0, 0})), glm::length(seen({0, 0, 1}))); }

glm::vec2 StageView::onGround(glm::vec2 at) const { return across * at.x + towards * (at.y / sine); }

Cover::Cover(const StageView& view)
    : normals_{glm::vec2(1, 0), glm::vec2(0, 1), glm::vec2(-view.towards.x * view.sine, view.across.x),
               glm::vec2(-view.towards.y * view.sine, view.across.y)} {}

void Cover::include(glm::vec2 point, bool first) {
  for (std::size_t i = 0; i < kDirections; ++i) {
    const float at = glm::dot(normals_[i], point);
    spans_[i] = first ? Span{at, at} : Span{std::min(spans_[i].low, at), std::max(spans_[i].high, at)};
  }
}

Cover Cover::ofBox(const StageView& view, const glm::vec3& low, const glm::vec3& high) {
  Cover cover(view);
  for (int corner = 0; corner < 8; ++corner) {
    cover.include(view.seen({(corner & 1) != 0 ? high.x : low.x, (corner & 2) != 0 ? high.y : low.y,
                             (corner & 4) != 0 ? high.z : low.z}),
                  corner == 0);
  }
  return cover;
}

Cover Cover::ofRectangle(const StageView& view, glm::vec2 low, glm::vec2 high) {
  Cover cover(view);
  cover.include(low, true);
  for (const glm::vec2 point : {glm::vec2(high.x, low.y), high, glm::vec2(low.x, high.y)}) {
    cover.include(point, false);
  }
  return cover;
}

Cover Cover::moved(glm::vec2 by) const {
  Cover cover = *this;
  for (std::size_t i = 0; i < kDirections; ++i) {
    const float shift = glm::dot(normals_[i], by);
    cover.spans_[i].low += shift;
    cover.spans_[i].high += shift;
  }
  return cover;
}

Cover Cover::with(const Cover& other) const {
  Cover cover = *this;
  for (std::size_t i = 0; i < kDirections; ++i) {
    Span& span = cover.spans_[i];
    span = {std::min(span.low, other.spans_[i].low), std::max(span.high, other.spans_[i].high)};
  }
  return cover;
}

bool Cover::meets(const Cover& other) const {
  for (std::size_t i = 0; i < kDirections; ++i) {
    if (spans_[i].high <= other.spans_[i].low || other.spans_[i].high <= spans_[i].low) { return false; }
  }
  return true;
}

namespace {

class Packing {
 public:
  Packing(const StageView& view, const StagePieces& pieces, const SceneSpace& space, float width)
      : view_(view), pieces_(pieces), space_(space), picture_(width, width * space.aspect) {
    const glm::vec2 left = space.lowerLeft * picture_, right = space.upperRight * picture_;
    if (left.x > 0 && left.y > 0) { taken_.push_back(rectangle({0, picture_.y - left.y}, {left.x, picture_.y})); }
    if (right.x > 0 && right.y > 0) { taken_.push_back(rectangle({picture_.x - right.x, 0}, {picture_.x, right.y})); }
  }

  std::optional<StagePlaces> find() {
    if (pieces_.bench.empty()) { return stacks(picture_ / 2.0F); }
    Cover whole = pieces_.bench.front();
    for (const Cover& board : pieces_.bench) { whole = whole.with(board); }
    const glm::vec2 low = whole.low();
    const glm::vec2 spare = picture_ - (whole.high() - low);
    if (spare.x < 0 || spare.y < 0) { return std::nullopt; }
    for (int down = 0; down < kDown; ++down) {
      for (int across = 0; across < kAcross; ++across) {
        const glm::vec2 at = spare * glm::vec2(fromMiddle(across, kAcross), fromMiddle(down, kDown)) - low;
        if (const auto found = withBench(at)) { return found; }
      }
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] Cover rectangle(glm::vec2 low, glm::vec2 high) const { return Cover::ofRectangle(view_, low, high); }
  /// The n-th of so many places between 0 and 1: the middle first, then those further and further from it.
  [[nodiscard]] static float fromMiddle(int n, int of) {
    const int steps = (n + 1) / 2 * (n % 2 == 0 ? 1 : -1);
    return 0.5F + static_cast<float>(steps) / static_cast<float>(of - 1);
  }
  [[nodiscard]] static bool meetsAny(const Cover& cover, const std::vector<Cover>& others) {
    return std::ranges::any_of(others, [&](const Cover& other) { return cover.meets(other); });
  }

  std::optional<StagePlaces> withBench(glm::vec2 at) {
    bench_.clear();
    for (const Cover& board : pieces_.bench) { bench_.push_back(board.moved(at)); }
    if (std::ranges::any_of(bench_, [&](const Cover& board) { return meetsAny(board, taken_); })) {
      return std::nullopt;
    }
    return stacks(at);
  }

  std::optional<StagePlaces> stacks(glm::vec2 bench) {
    const auto input = stack(pieces_.input, true, bench.x);
    if (!input) { return std::nullopt; }
    bench_.push_back(pieces_.input.moved(*input));
    const auto output = stack(pieces_.output, false, bench.x);
    bench_.pop_back();
    if (!output) { return std::nullopt; }
    return StagePlaces{bench, *input, *output, picture_};
  }

  /// The nearest place to its edge of the picture, there that nearest to the middle; on its side of the bench.
  std::optional<glm::vec2> stack(const Cover& piece, bool left, float bench) const {
    const glm::vec2 size = piece.high() - piece.low(), words = (left ? space_.counted : space_.name) * picture_;
    const glm::vec2 spare = picture_ - size - glm::vec2(0, words.y);
    if (spare.x < 0 || spare.y < 0) { return std::nullopt; }
    for (int across = 0; across < kFromEdge; ++across) {
      const float from = kFarthest * static_cast<float>(across) / static_cast<float>(kFromEdge - 1) * picture_.x;
      const float middle = (left ? from : spare.x - from) + size.x / 2;
      if (from > spare.x || (left ? middle > bench : middle < bench)) { break; }
      for (int down = 0; down < kStackDown; ++down) {
        const glm::vec2 corner{left ? from : spare.x - from, spare.y * fromMiddle(down, kStackDown)};
        const Cover cover = piece.moved(corner - piece.low());
        const float aside = std::clamp(corner.x + (size.x - words.x) / 2, 0.0F, std::max(picture_.x - words.x, 0.0F));
        const glm::vec2 below{aside, corner.y + size.y};
        const Cover name = rectangle(below, below + words);
        if (meetsAny(cover, taken_) || meetsAny(name, taken_)) { continue; }
        const Cover wider = cover.moved({left ? kApart : -kApart, 0});
        if (meetsAny(cover, bench_) || meetsAny(wider, bench_) || meetsAny(name, bench_)) { continue; }
        return corner - piece.low();
      }
    }
    return std::nullopt;
  }

  const StageView& view_;
  const StagePieces& pieces_;
  const SceneSpace& space_;
  glm::vec2 picture_;
  std::vector<Cover> taken_, bench_;
};

}  // namespace

std::optional<StagePlaces> placed(const StageView& view, const StagePieces& pieces, const SceneSpace& space,
                                  float width) {
  return Packing(view, pieces, space, width).find();
}

}  // namespace haloscope::render
