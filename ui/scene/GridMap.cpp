#include "ui/scene/GridMap.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "actions/CameraActions.h"
#include "actions/Choices.h"
#include "language/Text.h"
#include "render/SceneModel.h"
#include "ui/scene/GridInset.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

namespace {

constexpr float kHalf = 0.7071F;                  ///< of a block's edge, to the right, seen from home
constexpr float kLargestEdge = 64;                ///< at scale 1
constexpr float kSmallestEdge = 5;                ///< pixels, below which blocks are not drawn one by one
constexpr float kClosest = 0.16F, kFarthest = 1;  ///< sheets, by the depth of one as it is seen
constexpr float kMargin = 26, kInset = 0.07F;     ///< around the map, at scale 1; between blocks, by their edge
constexpr std::uint64_t kDrawnBlocks = 6000;      ///< that are drawn one by one
constexpr float kLeastApart = 3;                  ///< from a sheet that is drawn to the next one, at scale 1

}  // namespace

GridMap::GridMap(AppState& state, const Theme& theme, ImVec2 min, ImVec2 max)
    : state_(state),
      theme_(theme),
      min_(min),
      max_(max),
      grid_(state.experiment->configuration.grid),
      block_(state.experiment->block),
      cluster_(state.experiment->program == nullptr
                   ? Dim3{}
                   : clusterOf(*state.experiment->program, state.experiment->configuration)) {
  const float sine = std::sin(render::kHomePitch);
  const auto around = static_cast<float>(grid_.x + grid_.y), gaps = static_cast<float>(grid_.z - 1);
  const float margin = theme.px(kMargin);
  const ImVec2 room{max.x - min.x - 2 * margin, max.y - min.y - 2 * margin};
  edge_ = std::min(room.x / (kHalf * around), theme.px(kLargestEdge));
  const auto depth = [&] { return kHalf * around * sine * edge_; };
  edge_ = std::max(1.0F, std::min(edge_, edge_ * room.y / (depth() * (1 + kClosest * gaps))));
  apart_ = gaps > 0 ? std::clamp((room.y - depth()) / gaps, 0.0F, kFarthest * depth()) : 0;
  const float height = depth() + gaps * apart_;
  const float left = kHalf * edge_ * static_cast<float>(grid_.y), width = kHalf * edge_ * around;
  origin_ = {(min.x + max.x - width) / 2 + left, (min.y + max.y - height) / 2 + gaps * apart_};
}

ImVec2 GridMap::corner(float x, float y, float z) const {
  const float sine = std::sin(render::kHomePitch);
  return {origin_.x + kHalf * edge_ * (x - y), origin_.y + kHalf * edge_ * sine * (x + y) - apart_ * z};
}

ImVec2 GridMap::place() const {
  return corner(static_cast<float>(block_.x) + 0.5F, static_cast<float>(block_.y) + 0.5F, static_cast<float>(block_.z));
}

std::optional<Dim3> GridMap::blockAt(ImVec2 pixel) const {
  const float sine = std::sin(render::kHomePitch);
  for (std::uint32_t up = grid_.z; up-- > 0;) {
    const float across = (pixel.x - origin_.x) / (kHalf * edge_);
    const float down = (pixel.y - origin_.y + apart_ * static_cast<float>(up)) / (kHalf * edge_ * sine);
    const float x = (down + across) / 2, y = (down - across) / 2;
    if (x < 0 || y < 0 || x >= static_cast<float>(grid_.x) || y >= static_cast<float>(grid_.y)) { continue; }
    return Dim3{static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y), up};
  }
  return std::nullopt;
}

void GridMap::outline(const Dim3& first, const Dim3& size, ImU32 colour, float thickness) const {
  const auto x = static_cast<float>(first.x), y = static_cast<float>(first.y), z = static_cast<float>(first.z);
  const float right = x + static_cast<float>(size.x), near = y + static_cast<float>(size.y);
  const std::array corners = {corner(x, y, z), corner(right, y, z), corner(right, near, z), corner(x, near, z)};
  ImGui::GetWindowDrawList()->AddPolyline(corners.data(), static_cast<int>(corners.size()), colour, thickness,
                                          ImDrawFlags_Closed);
}

void GridMap::drawSheet(std::uint32_t z, float share) const {
  const Palette& colours = theme_.colours();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const auto height = static_cast<float>(z);
  const auto fill = [&](const Dim3& from, float width, float depth, float inset, ImU32 colour) {
    const float x = static_cast<float>(from.x) + inset, y = static_cast<float>(from.y) + inset;
    const float right = x + width - 2 * inset, near = y + depth - 2 * inset;
    list->AddQuadFilled(corner(x, y, height), corner(right, y, height), corner(right, near, height),
                        corner(x, near, height), colour);
  };
  const auto brightness = [&](const Dim3& block) {
    return Theme::mixed(colours.panel, colours.textDim, insetProminence(recording::placeOf(block, grid_)));
  };
  const auto wide = static_cast<float>(grid_.x), deep = static_cast<float>(grid_.y);
  // A sheet hides a little of what lies below it.
  fill({0, 0, z}, wide, deep, 0, theme_.faded(colours.panel, 0.55F * share));
  if (edge_ < theme_.px(kSmallestEdge) || grid_.count() > kDrawnBlocks) {
    fill({0, 0, z}, wide, deep, 0, theme_.faded(brightness({grid_.x / 2, grid_.y / 2, z}), 0.5F * share));
  } else {
    for (std::uint32_t y = 0; y < grid_.y; ++y) {
      for (std::uint32_t x = 0; x < grid_.x; ++x) {
        const bool above = x == block_.x && y == block_.y;
        const ImU32 colour = above ? colours.interior : brightness({x, y, z});
        fill({x, y, z}, 1, 1, kInset, theme_.faded(colour, (above ? 0.8F : 0.7F) * share));
      }
    }
  }
  outline({0, 0, z}, {grid_.x, grid_.y, 1}, theme_.faded(colours.textDim, 0.4F * share), theme_.px(1));
  if (cluster_.count() > 1) {
    const Dim3 first = blockOfRank(block_, cluster_, 0);
    if (z >= first.z && z < first.z + cluster_.z) {
      outline({first.x, first.y, z}, cluster_, theme_.faded(colours.output, share), theme_.px(1.5F));
    }
  }
  if (z == block_.z) {
    fill(block_, 1, 1, kInset, theme_.faded(colours.active, 0.9F * share));
    outline(block_, {1, 1, 1}, theme_.faded(colours.activeText, share), theme_.px(2));
  }
}

void GridMap::draw(float share) const {
  ImGui::PushClipRect(min_, max_, true);
  const FontScope font(theme_, Face::Sans, TextSize::Small);
  ImDrawList* list = ImGui::GetWindowDrawList();
  // Of sheets that lie closer together, some stand for all.
  const float every = std::clamp(theme_.px(kLeastApart) / std::max(apart_, 1e-3F), 1.0F, static_cast<float>(grid_.z));
  const auto step = static_cast<std::uint32_t>(std::ceil(every));
  const std::uint32_t lowest = blockOfRank(block_, cluster_, 0).z;
  for (std::uint32_t z = 0; z < grid_.z; ++z) {
    const bool own = z >= lowest && z < lowest + cluster_.z;
    if (z % step != 0 && z + 1 != grid_.z && !own) { continue; }
    drawSheet(z, share);
    const ImVec2 left = corner(0, static_cast<float>(grid_.y), static_cast<float>(z));
    const bool named = apart_ >= ImGui::GetTextLineHeight() || z == block_.z || grid_.z == 1;
    if (grid_.z > 1 && named) {
      const std::string text = fmt::format("z = {}", z);
      const ImU32 colour = z == block_.z ? theme_.colours().text : theme_.colours().textDim;
      textAt(list, {left.x - textWidth(text) - theme_.px(8), left.y - ImGui::GetTextLineHeight() / 2},
             theme_.faded(colour, share), text);
    }
  }
  ImGui::SetCursorScreenPos(min_);
  const bool clicked = ImGui::InvisibleButton("grid map", {max_.x - min_.x, max_.y - min_.y});
  const auto pointed = ImGui::IsItemHovered() ? blockAt(ImGui::GetMousePos()) : std::nullopt;
  if (pointed) {
    outline(*pointed, {1, 1, 1}, theme_.colours().text, theme_.px(1.5F));
    blockTooltip(theme_, *pointed, grid_, cluster_);
  }
  if (clicked) {
    if (pointed) { state_.choice.block = *pointed; }
    fitStage(state_);
  }
  ImGui::PopClipRect();
}

}  // namespace haloscope::ui
