#include "ui/window/BlockPicker.h"

#include <fmt/format.h>

#include <algorithm>

#include "actions/Choices.h"
#include "language/Text.h"
#include "ui/widgets/Slider.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

namespace {

constexpr const char* kPopup = "block list";
constexpr float kMapEdge = 264;  // of the map, at scale 1
constexpr float kCellEdge = 32;  // of a block in it, at most
constexpr float kSeparate = 5;   // pixels from which blocks are drawn one by one

// How far from the background a kind of place stands out: the more sides at the grid's border, the more.
float mapProminence(recording::BlockPlace place) {
  switch (place) {
    case recording::BlockPlace::Interior:
      return 0.15F;
    case recording::BlockPlace::Face:
      return 0.4F;
    case recording::BlockPlace::Edge:
      return 0.65F;
    case recording::BlockPlace::Corner:
    case recording::BlockPlace::Only:
      return 0.9F;
  }
  return 0;
}

std::string buttonText(const std::optional<Dim3>& block, const std::optional<Dim3>& grid) {
  if (!block || !grid) { return tr("no block"); }
  return blockText(*block) + " " + placeName(recording::placeOf(*block, *grid));
}

}  // namespace

BlockPicker::BlockPicker(AppState& state, const Theme& theme) : state_(state), theme_(theme) {
  const KernelFile* file = chosenFile(state);
  grid_ = file != nullptr ? chosenGrid(*file, state.choice) : std::nullopt;
  block_ = state.choice.block;
  if (!block_ && grid_ && state.experiment != nullptr && state.experiment->configuration.grid == *grid_) {
    block_ = state.experiment->block;
  }
}

float BlockPicker::width() const {
  const FontScope font(theme_, Face::Mono, TextSize::Body);
  // Room for the longest of its kind, so that the toolbar stays still while blocks are tried.
  const float text = std::max(textWidth("(0,0,0) interior"), textWidth(buttonText(block_, grid_)));
  return text + 2 * ImGui::GetStyle().FramePadding.x;
}

void BlockPicker::draw() {
  {
    const FontScope font(theme_, Face::Mono, TextSize::Body);
    ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetStyleColorVec4(ImGuiCol_FrameBg));
    if (ImGui::Button((buttonText(block_, grid_) + "###block").c_str(), {width(), 0})) { ImGui::OpenPopup(kPopup); }
    ImGui::PopStyleColor();
  }
  if (ImGui::BeginItemTooltip()) {
    label(theme_, theme_.colours().text, tr("The block shown"), Face::SansStrong, TextSize::Body);
    if (grid_) { label(theme_, theme_.colours().textDim, trf("of a grid of {}", blockText(*grid_))); }
    ImGui::EndTooltip();
  }
  ImGui::SetNextWindowPos({ImGui::GetItemRectMin().x, ImGui::GetItemRectMax().y + theme_.px(4)});
  if (ImGui::BeginPopup(kPopup)) {
    drawList();
    ImGui::EndPopup();
  }
}

void BlockPicker::drawList() {
  if (!grid_) {
    label(theme_, theme_.colours().textDim, tr("These sizes cannot be launched."));
    return;
  }
  label(theme_, theme_.colours().text, trf("Block of a grid of {} × {} × {}", grid_->x, grid_->y, grid_->z),
        Face::SansStrong, TextSize::Body);
  drawPlaces();
  drawMap();
}

void BlockPicker::drawPlaces() {
  for (const Dim3& example : exampleBlocks(*grid_)) {
    const recording::BlockPlace place = recording::placeOf(example, *grid_);
    const bool chosen = block_ && recording::placeOf(*block_, *grid_) == place;
    if (ImGui::RadioButton(placeName(place), chosen)) { state_.choice.block = example; }
    ImGui::SameLine(0, theme_.px(12));
  }
  ImGui::NewLine();
}

void BlockPicker::drawMap() {
  const Palette& colours = theme_.colours();
  const Dim3 at = block_.value_or(Dim3{0, 0, 0});
  if (grid_->z > 1) {
    const std::string text = fmt::format("z = {:<3}", at.z);
    ImGui::AlignTextToFramePadding();
    label(theme_, colours.text, text, Face::Mono);
    ImGui::SameLine();
    const float width = theme_.px(kMapEdge) - ImGui::GetItemRectSize().x - ImGui::GetStyle().ItemSpacing.x;
    auto z = static_cast<std::int64_t>(at.z);
    if (Slider{"##z", 0, static_cast<std::int64_t>(grid_->z) - 1, width}.draw(theme_, z)) {
      state_.choice.block = Dim3{at.x, at.y, static_cast<std::uint32_t>(z)};
    }
  }
  const float extent = static_cast<float>(std::max(grid_->x, grid_->y));
  const float cell = std::min(theme_.px(kMapEdge) / extent, theme_.px(kCellEdge));
  const auto columns = static_cast<int>(grid_->x);
  const auto rows = static_cast<int>(grid_->y);
  label(theme_, colours.textDim, "x →   y ↓");
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const std::optional<int> pointed = cellGridItem("map", {cell, cell}, columns, rows);
  const bool clicked = ImGui::IsItemClicked();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const auto corner = [&](std::uint32_t x, std::uint32_t y) {
    return ImVec2{origin.x + static_cast<float>(x) * cell, origin.y + static_cast<float>(y) * cell};
  };
  const auto fillOf = [&](std::uint32_t x, std::uint32_t y) {
    return Theme::mixed(colours.panel, colours.textDim, mapProminence(recording::placeOf({x, y, at.z}, *grid_)));
  };
  if (cell >= kSeparate) {
    for (std::uint32_t y = 0; y < grid_->y; ++y) {
      for (std::uint32_t x = 0; x < grid_->x; ++x) {
        const ImVec2 min = corner(x, y);
        list->AddRectFilled({min.x + 1, min.y + 1}, {min.x + cell - 1, min.y + cell - 1}, fillOf(x, y), theme_.px(2));
      }
    }
  } else {
    list->AddRectFilled(corner(0, 0), corner(grid_->x, grid_->y), fillOf(0, grid_->y / 2));
    if (grid_->x > 2 && grid_->y > 2) {
      list->AddRectFilled(corner(1, 1), corner(grid_->x - 1, grid_->y - 1), fillOf(grid_->x / 2, grid_->y / 2));
    }
  }
  const float edge = std::max(cell, theme_.px(4));
  const auto mark = [&](const Dim3& block, ImU32 colour) {
    const ImVec2 min = corner(block.x, block.y);
    list->AddRect(min, {min.x + edge, min.y + edge}, colour, theme_.px(2), std::max(1.5F, theme_.px(2)));
  };
  if (block_) {
    const ImVec2 min = corner(block_->x, block_->y);
    outlineActive(list, theme_, min, {min.x + edge, min.y + edge}, theme_.px(2), std::max(1.5F, theme_.px(2)));
  }
  if (pointed) {
    const Dim3 block{static_cast<std::uint32_t>(*pointed % columns), static_cast<std::uint32_t>(*pointed / columns),
                     at.z};
    mark(block, colours.text);
    ImGui::SetTooltip("%s %s", blockText(block).c_str(), placeName(recording::placeOf(block, *grid_)));
    if (clicked) { state_.choice.block = block; }
  }
}

}  // namespace haloscope::ui
