#include "ui/scene/GridInset.h"

#include <fmt/format.h>

#include <algorithm>

#include "actions/Choices.h"
#include "language/Text.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

namespace {

constexpr float kEdge = 54;         ///< of the map, at scale 1
constexpr float kLargestCell = 12;  ///< of a block in it
constexpr float kThinnest = 6;      ///< edge of the map of a grid that is long and thin
constexpr float kStepperGap = 6;    ///< from the map
constexpr float kSmallestCell = 3;  ///< below, blocks are not drawn one by one

}  // namespace

float insetProminence(recording::BlockPlace place) {
  constexpr float kSteps[] = {0.22F, 0.42F, 0.62F, 0.85F, 0.85F};
  return kSteps[static_cast<std::size_t>(place)];
}

void blockTooltip(const Theme& theme, const Dim3& block, const Dim3& grid, const Dim3& cluster) {
  const Tooltip tip(theme);
  tip.title(trf("block {}", blockText(block)));
  tip.row(tr("place"), placeName(recording::placeOf(block, grid)));
  tip.row(tr("grid"), fmt::format("{} × {} × {}", grid.x, grid.y, grid.z));
  if (cluster.count() > 1) {
    tip.row(tr("cluster"),
            trf("rank {} of {}, {} to {}", rankInCluster(block, cluster), cluster.count(),
                blockText(blockOfRank(block, cluster, 0)),
                blockText(blockOfRank(block, cluster, static_cast<std::uint32_t>(cluster.count() - 1)))));
  }
}

GridInset::GridInset(AppState& state, const Theme& theme)
    : state_(state),
      theme_(theme),
      grid_(state.experiment->configuration.grid),
      block_(state.experiment->block),
      cluster_(state.experiment->program == nullptr
                   ? Dim3{}
                   : clusterOf(*state.experiment->program, state.experiment->configuration)) {}

ImVec2 GridInset::mapSize() const {
  const float extent = static_cast<float>(std::max(grid_.x, grid_.y));
  const float cell = std::min(theme_.px(kEdge) / extent, theme_.px(kLargestCell));
  // A grid of few columns and many rows is a thin strip, but one that can be pointed at.
  const float thinnest = std::min(extent * cell, theme_.px(kThinnest));
  return {std::max(cell * static_cast<float>(grid_.x), thinnest),
          std::max(cell * static_cast<float>(grid_.y), thinnest)};
}

std::string GridInset::heightText() const { return trf("z = {} of 0…{}", block_.z, grid_.z - 1); }

float GridInset::width() const {
  const FontScope font(theme_, Face::Sans, TextSize::Small);
  return mapSize().x + (grid_.z > 1 ? theme_.px(kStepperGap) + textWidth(heightText()) : 0);
}

void GridInset::draw(ImVec2 at) const {
  if (grid_.count() <= 1) { return; }
  ImGui::PushID("grid inset");
  drawMap(at);
  if (grid_.z > 1) { drawStepper({at.x + mapSize().x + theme_.px(kStepperGap), at.y}); }
  ImGui::PopID();
}

void GridInset::drawMap(ImVec2 at) const {
  const Palette& colours = theme_.colours();
  const ImVec2 size = mapSize();
  const ImVec2 cell = {size.x / static_cast<float>(grid_.x), size.y / static_cast<float>(grid_.y)};
  ImDrawList* list = ImGui::GetWindowDrawList();
  const auto corner = [&](std::uint32_t x, std::uint32_t y) {
    return ImVec2(at.x + static_cast<float>(x) * cell.x, at.y + static_cast<float>(y) * cell.y);
  };
  const auto fill = [&](std::uint32_t x, std::uint32_t y) {
    return Theme::mixed(colours.panel, colours.textDim, insetProminence(recording::placeOf({x, y, block_.z}, grid_)));
  };
  if (std::min(cell.x, cell.y) >= theme_.px(kSmallestCell)) {
    for (std::uint32_t y = 0; y < grid_.y; ++y) {
      for (std::uint32_t x = 0; x < grid_.x; ++x) {
        const ImVec2 min = corner(x, y);
        list->AddRectFilled(min, {min.x + cell.x - 1, min.y + cell.y - 1}, fill(x, y), theme_.px(1));
      }
    }
  } else {
    list->AddRectFilled(corner(0, 0), corner(grid_.x, grid_.y), fill(0, grid_.y / 2));
    const float rim = std::max(1.0F, std::min(cell.x, cell.y));
    const ImVec2 low = corner(0, 0);
    const ImVec2 high = corner(grid_.x, grid_.y);
    if (high.x - low.x > 2 * rim && high.y - low.y > 2 * rim) {
      list->AddRectFilled({low.x + rim, low.y + rim}, {high.x - rim, high.y - rim}, fill(grid_.x / 2, grid_.y / 2));
    }
  }
  const auto mark = [&](const Dim3& block, bool focused) {
    const ImVec2 edge = {std::max(cell.x, theme_.px(5)), std::max(cell.y, theme_.px(5))};
    const ImVec2 min = corner(block.x, block.y);
    const ImVec2 middle = {min.x + cell.x / 2, min.y + cell.y / 2};
    const ImVec2 low{middle.x - edge.x / 2 - 1, middle.y - edge.y / 2 - 1};
    const ImVec2 high{middle.x + edge.x / 2, middle.y + edge.y / 2};
    const float thickness = std::max(1.5F, theme_.px(1.75F));
    if (focused) {
      outlineActive(list, theme_, low, high, theme_.px(1), thickness);
    } else {
      list->AddRect(low, high, colours.text, theme_.px(1), thickness);
    }
  };
  if (cluster_.count() > 1) {
    const Dim3 first = blockOfRank(block_, cluster_, 0);
    const ImVec2 low = corner(first.x, first.y);
    const ImVec2 high = corner(first.x + cluster_.x, first.y + cluster_.y);
    list->AddRect({low.x - 1, low.y - 1}, high, colours.output, theme_.px(1), std::max(1.0F, theme_.px(1)));
  }
  mark(block_, true);
  ImGui::SetCursorScreenPos(at);
  const auto pointed = cellGridItem("map", cell, static_cast<int>(grid_.x), static_cast<int>(grid_.y));
  if (!pointed) { return; }
  const auto index = static_cast<std::uint32_t>(*pointed);
  const Dim3 block = {index % grid_.x, index / grid_.x, block_.z};
  mark(block, false);
  if (ImGui::IsItemClicked()) { state_.choice.block = block; }
  blockTooltip(theme_, block, grid_, cluster_);
}

void GridInset::drawStepper(ImVec2 at) const {
  const FontScope font(theme_, Face::Sans, TextSize::Small);
  const Palette& colours = theme_.colours();
  const std::string text = heightText();
  const float height = ImGui::GetTextLineHeight();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const auto button = [&](const char* id, const char* sign, ImVec2 min) {
    ImGui::SetCursorScreenPos(min);
    ImGui::PushItemFlag(ImGuiItemFlags_ButtonRepeat, true);
    const bool pressed = ImGui::InvisibleButton(id, {height, height}, ImGuiButtonFlags_EnableNav);
    ImGui::PopItemFlag();
    const bool lit = ImGui::IsItemHovered() || ImGui::IsItemFocused();
    textAt(list, min, lit ? colours.text : colours.textDim, sign);
    return pressed;
  };
  Dim3 block = block_;
  if (button("higher", "+", at) && block.z + 1 < grid_.z) { ++block.z; }
  textAt(list, {at.x, at.y + height}, colours.textDim, text);
  if (button("lower", "–", {at.x, at.y + 2 * height}) && block.z > 0) { --block.z; }
  if (!(block == block_)) { state_.choice.block = block; }
}

}  // namespace haloscope::ui
