#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "actions/Choices.h"
#include "figures/BlockBoundary.h"
#include "language/Glossary.h"
#include "language/Text.h"
#include "recording/GridShape.h"
#include "state/Places.h"
#include "ui/figures/BoundaryPicture.h"
#include "ui/figures/FigureDrawings.h"
#include "ui/figures/FigureText.h"
#include "ui/widgets/Slider.h"
#include "ui/widgets/Widgets.h"

/// The focused block at the array's border: what it loads and writes, and what no block writes, in one plane.
namespace haloscope::ui {

namespace {

using figures::BlockBoundary;
using figures::BoundaryCounts;
using figures::LoadedAs;
using figures::WrittenBy;
using recording::GridShape;

/// The legend: each role's swatch, count and definition.
class Roles {
 public:
  Roles(const BlockBoundary& boundary, const Theme& theme, std::int64_t plane)
      : theme_(theme),
        planes_(boundary.extents.size() > 2),
        all_(countAll(boundary)),
        here_(countPlane(boundary, plane)) {}

  void draw() const {
    constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_NoSavedSettings;
    const FontScope font(theme_, Face::Sans, TextSize::Small);
    ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {theme_.px(6), 0});
    if (ImGui::BeginTable("roles", planes_ ? 5 : 4, kFlags)) {
      for (int column = 0; column < (planes_ ? 4 : 3); ++column) { ImGui::TableSetupColumn(""); }
      ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch);
      head();
      row(trMark("interior point"), tr("loaded, and computed by this block"), LoadedAs::Interior, WrittenBy::Outside,
          &BoundaryCounts::interior);
      row(trMark("halo cell"), tr("loaded around the tile; others: ghost cell"), LoadedAs::Halo, WrittenBy::Outside,
          &BoundaryCounts::halo);
      row(trMark("… at the border"), tr("of these, border points that keep their value"), LoadedAs::Halo,
          WrittenBy::NoBlock, &BoundaryCounts::haloKept);
      row(trMark("ghost cell"), tr("outside the array; others: halo"), LoadedAs::Ghost, WrittenBy::Outside,
          &BoundaryCounts::ghosts);
      row(trMark("output cell"), tr("written by this block"), LoadedAs::Nothing, WrittenBy::ThisBlock,
          &BoundaryCounts::outputs);
      row(trMark("keeps its value"), tr("written by no block of the grid"), LoadedAs::Nothing, WrittenBy::NoBlock,
          &BoundaryCounts::kept);
      ImGui::EndTable();
    }
    ImGui::PopStyleVar();
  }

 private:
  void cell(const std::string& text, ImU32 colour) const {
    ImGui::TableNextColumn();
    label(theme_, colour, text);
  }

  void head() const {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TableNextColumn();
    if (planes_) { cell(tr("here"), theme_.colours().textDim); }
    cell(tr("total"), theme_.colours().textDim);
  }

  void row(const char* word, const char* meaning, LoadedAs loaded, WrittenBy written,
           std::size_t BoundaryCounts::* count) const {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    const float size = std::round(ImGui::GetTextLineHeight() * 0.8F);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float down = std::round((ImGui::GetTextLineHeight() - size) / 2);
    drawBoundaryRole(theme_, loaded, written, {at.x, at.y + down}, {at.x + size, at.y + down + size});
    ImGui::Dummy({size, size});
    ImGui::TableNextColumn();
    label(theme_, theme_.colours().text, tr(word));
    if (ImGui::IsItemHovered()) { define(word); }
    if (planes_) { cell(std::to_string(here_.*count), theme_.colours().text); }
    cell(std::to_string(all_.*count), theme_.colours().text);
    ImGui::TableNextColumn();
    clippedLabel(theme_, theme_.colours().textDim, meaning);
  }

  void define(const char* word) const {
    const GlossaryTerm* const term = findTerm(word);
    if (term == nullptr) { return; }
    const Tooltip tip(theme_);
    tip.title(tr(term->word), 0, Face::SansStrong);
    tip.note(tr(term->meaning), theme_.colours().text);
  }

  const Theme& theme_;
  bool planes_;
  BoundaryCounts all_, here_;
};

constexpr float kRolesWidth = 440;  // next to the picture, at scale 1
constexpr float kRolesLines = 9;    // of text, with the sentence below

/// One block for each kind of position in the grid.
void drawBlocks(AppState& state, const Theme& theme, const experiment::Experiment& shown) {
  const Dim3& grid = shown.configuration.grid;
  const std::vector<Dim3> examples = exampleBlocks(grid);
  if (examples.size() < 2) { return; }
  std::vector<const char*> words;
  int chosen = -1;
  for (const Dim3& block : examples) {
    if (recording::placeOf(block, grid) == recording::placeOf(shown.block, grid)) {
      chosen = static_cast<int>(words.size());
    }
    words.push_back(placeName(recording::placeOf(block, grid)));
  }
  const int now = choiceRow(theme, "block", words, chosen);
  if (now != chosen) { state.choice.block = examples[static_cast<std::size_t>(now)]; }
}

}  // namespace

void drawBoundaryFigure(AppState& state, const Theme& theme) {
  const Palette& colours = theme.colours();
  BoundaryFigure& figure = state.figures.boundary;
  if (figure.found == nullptr) {
    figureSentence(theme, colours.textDim,
                   figure.experiment == nullptr ? tr("Executing the grid to see which points no block writes …")
                                                : trf("The kernel could not be executed again. {}", figure.problem));
    return;
  }
  const BlockBoundary& boundary = *figure.found;
  if (!boundary.stencil) { return figureSentence(theme, colours.text, boundary.reason); }
  const Dim3& grid = figure.experiment->configuration.grid;
  figureTitle(theme,
              trf("Block {} of a grid of {} × {} × {} blocks", blockText(boundary.block), grid.x, grid.y, grid.z));
  drawBlocks(state, theme, *figure.experiment);
  if (!boundary.reason.empty()) { return figureSentence(theme, colours.text, boundary.reason); }
  const GridShape shape(boundary.extents);
  std::int64_t plane = 0;
  if (boundary.extents.size() > 2) {
    const std::int64_t low = std::min<std::int64_t>(0, boundary.lowest.z);
    const std::int64_t high = std::max(shape.planes() - 1, boundary.highest.z);
    plane = std::clamp(figure.plane.value_or(boundary.middlePlane()), low, high);
    frameLabel(theme, trf("plane z = {} of 0 … {}", plane, shape.planes() - 1), Face::Sans);
    ImGui::SameLine(0, theme.px(8));
    if (Slider{"##plane", low, high, theme.px(160)}.draw(theme, plane)) { figure.plane = plane; }
  }
  const ImVec2 all = ImGui::GetContentRegionAvail();
  const float roles = kRolesLines * theme.textPixels(TextSize::Small);
  const bool beside = std::min(all.x - theme.px(kRolesWidth), all.y) > std::min(all.x, all.y - roles);
  if (beside) { ImGui::BeginChild("roles", {theme.px(kRolesWidth), 0}, ImGuiChildFlags_NavFlattened); }
  Roles(boundary, theme, plane).draw();
  figureSentence(theme, colours.textDim, ghostSentence(boundary));
  if (beside) {
    ImGui::EndChild();
    ImGui::SameLine(0, theme.px(12));
    ImGui::BeginGroup();
  } else {
    ImGui::Dummy({0, theme.px(4)});
  }
  const ImVec2 room = ImGui::GetContentRegionAvail();
  if (room.x > theme.px(40) && room.y > theme.px(40)) {
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + theme.px(4));
    BoundaryPicture(boundary, theme, plane).draw({room.x - theme.px(8), room.y - theme.px(8)});
  }
  if (beside) { ImGui::EndGroup(); }
}

}  // namespace haloscope::ui
