#include "ui/figures/ReuseTable.h"

#include <fmt/format.h>

#include <string>

#include "figures/ReuseBounds.h"
#include "language/Text.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {
namespace {

using figures::ReuseCell;
using figures::ReuseRow;
using figures::VariantReuse;

/// "6.5", "5.5 … 6.5".
std::string range(double least, double most) {
  return least == most ? fmt::format("{:.4g}", least) : fmt::format("{:.4g} … {:.4g}", least, most);
}

/// The bound from the counted operations of the variants with this many points: "3.25 (13 op)".
void countedCell(const ReuseCell& cell, const char* shape, bool done, const Theme& theme) {
  if (cell.variants.empty()) {
    label(theme, theme.colours().textDim, "–");
    if (!ImGui::IsItemHovered()) { return; }
    const Tooltip tip(theme);
    tip.note(
        done ? trf("No kernel of the catalogue computes a {} of these {} points on 4-byte values.", shape, cell.points)
             : std::string(tr("The variants are still being executed.")));
    return;
  }
  label(theme, theme.colours().series,
        trf("{} ({} op)", range(cell.leastBound, cell.mostBound), range(cell.leastOperations, cell.mostOperations)));
  if (!ImGui::IsItemHovered()) { return; }
  const Tooltip tip(theme);
  tip.title(trf("{} points, operations counted", cell.points), 0, Face::SansStrong);
  for (const VariantReuse& one : cell.variants) {
    tip.row(one.id, trf("{:.4g} op per output: at most {:.4g} OP/B; executed {:.3f}", one.operationsPerOutput,
                        one.bound, one.executed));
  }
  tip.note(tr("A kernel may execute fewer than two operations per point: the first product needs no addition."));
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
               done ? std::string(tr("Maximum OP/B, 4-byte values loaded once: with 2 op per point, and as counted"))
                    : trf("Maximum OP/B, 4-byte values loaded once; {} of {} variants executed …",
                          figure.variants.size(), figure.allVariants));
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, ImVec2(theme.px(4), theme.px(1)));
  if (ImGui::BeginTable("reuse", 7, ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_BordersInnerH)) {
    for (const char* name :
         {tr("dim., order"), tr("stencil"), tr("2 op"), tr("counted"), tr("filter"), tr("2 op"), tr("counted")}) {
      ImGui::TableNextColumn();
      label(theme, colours.textDim, name);
    }
    for (const ReuseRow& row : figure.rows) {
      ImGui::TableNextColumn();
      label(theme, colours.text, fmt::format("{}D, {}", row.shape.dimensions, row.shape.order));
      ImGui::TableNextColumn();
      label(theme, colours.text, trf("{} points", row.stencil.points));
      ImGui::TableNextColumn();
      label(theme, colours.interior, fmt::format("{:.4g}", row.stencil.formula));
      ImGui::TableNextColumn();
      countedCell(row.stencil, tr("stencil"), done, theme);
      ImGui::TableNextColumn();
      label(theme, colours.text, trf("{} points", row.filter.points));
      ImGui::TableNextColumn();
      label(theme, colours.interior, fmt::format("{:.4g}", row.filter.formula));
      ImGui::TableNextColumn();
      countedCell(row.filter, tr("filter"), done, theme);
    }
    ImGui::EndTable();
  }
  ImGui::PopStyleVar();
}

}  // namespace haloscope::ui
