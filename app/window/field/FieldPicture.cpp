#include "field/FieldPicture.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace haloscope::field {

namespace {

constexpr float kRangeApproach = 0.25F;  // of the way to the found range, a frame
constexpr float kRangeReached = 0.004F;  // of its span: nearer cannot be seen

render::FieldColour unpack(std::uint32_t packed) {
  const auto channel = [&](int shift) { return static_cast<float>(packed >> shift & 0xffU) / 255.0F; };
  return {channel(0), channel(8), channel(16)};
}

}  // namespace

FieldPicture::FieldPicture(const std::filesystem::path& shaders, bool software)
    : software_(software), bricks_(shaders), renderer_(shaders) {}

void FieldPicture::clear() {
  shown_ = range_ = ends_ = {};
  coarse_ = dataChanged_ = bricksStale_ = false;
}

void FieldPicture::updateRange(const render::FieldGrid& grid, std::uint32_t field, const FieldControls& controls) {
  bricksStale_ |= dataChanged_;
  // Finding them takes a software renderer as long as drawing a plane does.
  const bool needed = !controls.range || (controls.volume && grid.rank == 3);
  if (needed && std::exchange(bricksStale_, false)) { bricks_.update(grid, field); }
  if (const auto found = bricks_.takeRange(!rangeKnown_)) {
    range_ = *found;
    if (!rangeKnown_) { shown_ = range_; }
    rangeKnown_ = true;
  }
  if (rangeReached()) {
    shown_ = range_;
  } else {
    shown_.low = std::lerp(shown_.low, range_.low, kRangeApproach);
    shown_.high = std::lerp(shown_.high, range_.high, kRangeApproach);
  }
}

bool FieldPicture::rangeReached() const {
  const float near = kRangeReached * (range_.high - range_.low);
  return std::abs(shown_.low - range_.low) <= near && std::abs(shown_.high - range_.high) <= near;
}

render::FieldView FieldPicture::viewOf(const render::FieldGrid& grid, const FieldControls& controls, bool grey) const {
  render::FieldView view{.width = controls.width,
                         .height = controls.height,
                         .volume = controls.volume,
                         .axis = controls.axis,
                         .slice = controls.slice,
                         .yaw = controls.yaw,
                         .pitch = controls.pitch,
                         .distance = controls.distance,
                         .low = ends_.low,
                         .high = ends_.high,
                         .surroundings = {unpack(controls.background), unpack(controls.frame), unpack(controls.fault)}};
  view.scale = view.surroundings.scaleOf(view.low, view.high, grey);
  const auto longest = static_cast<int>(*std::max_element(grid.extents.begin(), grid.extents.end()));
  view.steps = software_ ? 128 : std::clamp(2 * longest, 128, 640);
  return view;
}

void FieldPicture::draw(const render::FieldGrid& grid, std::uint32_t field, const FieldControls& controls, bool grey) {
  updateRange(grid, field, controls);
  if (controls.range) { range_ = shown_ = {(*controls.range)[0], (*controls.range)[1]}; }
  ends_ = shown_;
  if (!grey) {
    const auto [low, high] = render::scaleEnds(shown_.low, shown_.high);
    ends_ = {low, high};
  }
  render::FieldView view = viewOf(grid, controls, grey);
  const bool moved = view != wanted_;
  wanted_ = view;
  if (!moved && !dataChanged_ && !coarse_) { return; }
  // A processor takes a while for a cloud: coarse as long as things move, fine as soon as they rest.
  coarse_ = software_ && view.volume && grid.rank == 3 && (moved || dataChanged_);
  if (coarse_) {
    view.pixelStep = moved ? 3 : 2;
    view.steps = 64;
  }
  dataChanged_ = false;
  renderer_.draw(grid, field, bricks_, view);
}

}  // namespace haloscope::field
