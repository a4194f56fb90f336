#include "ui/figures/ReuseTable.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "figures/ReuseBounds.h"
#include "ui/Widgets.h"

namespace haloscope::ui {
namespace {

using figures::ReuseBound;
using figures::VariantReuse;

/// The formula's rows, and those of dimensions and orders that only variants have.
std::vector<ReuseBound> rowsOf(const AppState& state) {
  std::vector<ReuseBound> rows = figures::reuseBounds();
  for (const VariantReuse& variant : state.figures.opPerByte.variants) {
    const bool known = std::ranges::any_of(rows, [&](const ReuseBound& row) {
      return row.dimensions == variant.dimensions && row.order == variant.order;
    });
    if (!known && variant.dimensions > 0) { rows.push_back({variant.dimensions, variant.order}); }
  }
  std::ranges::sort(rows, {}, [](const ReuseBound& row) { return std::pair(row.dimensions, row.order); });
  return rows;
}

/// What variants of so many points execute: "13 op, 3.25".
void executedCell(const AppState& state, const Theme& theme, const ReuseBound& row, bool filter) {
  const std::int64_t points = filter ? row.convolutionPoints() : row.stencilPoints();
  std::vector<const VariantReuse*> matching;
  for (const VariantReuse& variant : state.figures.opPerByte.variants) {
    if (variant.belongsTo(row, points, filter)) { matching.push_back(&variant); }
  }
  if (matching.empty()) {
    label(theme, theme.colours().textDim, "–");
    return;
  }
  const auto [least, most] =
      std::ranges::minmax_element(matching, {}, [](const VariantReuse* one) { return one->bound; });
  const std::string bounds = (*least)->bound == (*most)->bound
                                 ? fmt::format("{:.4g}", (*least)->bound)
                                 : fmt::format("{:.4g} … {:.4g}", (*least)->bound, (*most)->bound);
  const std::string operations =
      (*least)->operationsPerOutput == (*most)->operationsPerOutput
          ? fmt::format("{:.4g}", (*least)->operationsPerOutput)
          : fmt::format("{:.4g} … {:.4g}", (*least)->operationsPerOutput, (*most)->operationsPerOutput);
  label(theme, theme.colours().output, fmt::format("{} ({} op)", bounds, operations));
  if (!ImGui::IsItemHovered()) { return; }
  const Tooltip tip(theme);
  tip.title(fmt::format("{} points, executed", points), 0, Face::SansStrong);
  for (const VariantReuse* one : matching) {
    tip.row(one->id, fmt::format("{:.4g} op an output, at most {:.4g} OP/B; loads give {:.3f}",
                                 one->operationsPerOutput, one->bound, one->executed));
  }
  tip.note("The text may write fewer operations than two for each point: its first product is added to nothing.");
}

}  // namespace

float reuseTableHeight(const AppState& state, const Theme& theme) {
  const auto rows = static_cast<float>(rowsOf(state).size() + 2);
  return rows * (theme.textPixels(TextSize::Small) + theme.px(4)) + theme.px(8);
}

void drawReuseTable(const AppState& state, const Theme& theme) {
  const FontScope font(theme, Face::Sans, TextSize::Small);
  const Palette& colours = theme.colours();
  const OpPerByteFigure& figure = state.figures.opPerByte;
  const bool done = figure.variants.size() >= figure.allVariants;
  clippedLabel(theme, colours.textDim,
               done ? std::string("OP/B at most, each float loaded once: by 2 operations a point, and by those counted")
                    : fmt::format("OP/B at most, each element loaded once; {} of {} variants executed …",
                                  figure.variants.size(), figure.allVariants));
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, ImVec2(theme.px(6), theme.px(1)));
  if (ImGui::BeginTable("reuse", 6, ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_BordersInnerH)) {
    for (const char* name : {"dim., order", "stencil", "formula", "as counted", "filter", "formula, as counted"}) {
      ImGui::TableNextColumn();
      label(theme, colours.textDim, name);
    }
    for (const ReuseBound& row : rowsOf(state)) {
      ImGui::TableNextColumn();
      label(theme, colours.text, fmt::format("{}D, {}", row.dimensions, row.order));
      ImGui::TableNextColumn();
      label(theme, colours.text, fmt::format("{} points", row.stencilPoints()));
      ImGui::TableNextColumn();
      label(theme, colours.interior, fmt::format("{:.4g}", ReuseBound::opPerByte(row.stencilPoints())));
      ImGui::TableNextColumn();
      executedCell(state, theme, row, false);
      ImGui::TableNextColumn();
      label(theme, colours.text, fmt::format("{} points", row.convolutionPoints()));
      ImGui::TableNextColumn();
      label(theme, colours.interior, fmt::format("{:.4g}", ReuseBound::opPerByte(row.convolutionPoints())));
      ImGui::SameLine(0, theme.px(12));
      executedCell(state, theme, row, true);
    }
    ImGui::EndTable();
  }
  ImGui::PopStyleVar();
}

}  // namespace haloscope::ui
