#include "ui/figures/ReuseTable.h"

#include <fmt/format.h>

#include <string>

#include "figures/ReuseBounds.h"
#include "ui/Widgets.h"

namespace haloscope::ui {
namespace {

using figures::ReuseCell;
using figures::ReuseRow;
using figures::VariantReuse;

/// "6.5", "5.5 … 6.5".
std::string range(double least, double most) {
  return least == most ? fmt::format("{:.4g}", least) : fmt::format("{:.4g} … {:.4g}", least, most);
}

/// What variants of so many points execute: "3.25 (13 op)".
void executedCell(const ReuseCell& cell, const Theme& theme) {
  if (cell.variants.empty()) {
    label(theme, theme.colours().textDim, "–");
    return;
  }
  label(theme, theme.colours().output,
        fmt::format("{} ({} op)", range(cell.leastBound, cell.mostBound),
                    range(cell.leastOperations, cell.mostOperations)));
  if (!ImGui::IsItemHovered()) { return; }
  const Tooltip tip(theme);
  tip.title(fmt::format("{} points, executed", cell.points), 0, Face::SansStrong);
  for (const VariantReuse& one : cell.variants) {
    tip.row(one.id, fmt::format("{:.4g} op an output, at most {:.4g} OP/B; loads give {:.3f}", one.operationsPerOutput,
                                one.bound, one.executed));
  }
  tip.note("The text may write fewer operations than two for each point: its first product is added to nothing.");
}

}  // namespace

float reuseTableHeight(const AppState& state, const Theme& theme) {
  const auto rows = static_cast<float>(state.figures.opPerByte.rows.size() + 2);
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
    for (const ReuseRow& row : figure.rows) {
      ImGui::TableNextColumn();
      label(theme, colours.text, fmt::format("{}D, {}", row.shape.dimensions, row.shape.order));
      ImGui::TableNextColumn();
      label(theme, colours.text, fmt::format("{} points", row.stencil.points));
      ImGui::TableNextColumn();
      label(theme, colours.interior, fmt::format("{:.4g}", row.stencil.formula));
      ImGui::TableNextColumn();
      executedCell(row.stencil, theme);
      ImGui::TableNextColumn();
      label(theme, colours.text, fmt::format("{} points", row.filter.points));
      ImGui::TableNextColumn();
      label(theme, colours.interior, fmt::format("{:.4g}", row.filter.formula));
      ImGui::SameLine(0, theme.px(12));
      executedCell(row.filter, theme);
    }
    ImGui::EndTable();
  }
  ImGui::PopStyleVar();
}

}  // namespace haloscope::ui
