#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "actions/Choices.h"
#include "language/Text.h"
#include "ui/figures/FigureDrawings.h"
#include "ui/figures/FigureParts.h"
#include "ui/widgets/Widgets.h"

/// Registers, shared memory and occupancy: the variants of a chapter side by side, or one kernel at each tile size.
namespace haloscope::ui {
namespace {

using figures::CodeReport;

constexpr int kFewRegisters = 32;  // a bar is scaled to at least this many
constexpr float kBarWidth = 44, kWidestBar = 260;
constexpr float kOtherColumns = 480;  // all but the two with bars

/// A number with a bar in the background.
void barCell(const Theme& theme, float width, const std::string& text, float share, ImU32 colour) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float line = ImGui::GetTextLineHeight();
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled({at.x, at.y + theme.px(1)}, {at.x + width, at.y + line},
                      theme.faded(theme.colours().border, 0.6F));
  list->AddRectFilled({at.x, at.y + theme.px(1)}, {at.x + width * std::clamp(share, 0.0F, 1.0F), at.y + line},
                      theme.faded(colour, 0.55F));
  textAt(list, {at.x + theme.px(4), at.y}, theme.colours().text, text);
  ImGui::Dummy({width, line});
}

void drawTip(const CodeReport& report, const RegistersFigure& figure, const Theme& theme) {
  const Palette& colours = theme.colours();
  const Tooltip tip(theme);
  tip.title(report.id, colours.text);
  if (report.points > 0) { tip.row(tr("points"), std::to_string(report.points)); }
  for (const auto& [name, value] : report.bindings) { tip.row(name, std::to_string(value)); }
  if (!report.problem.empty()) {
    tip.note(report.problem, colours.fault);
    return;
  }
  if (!report.done) {
    tip.note(tr("Not compiled yet."));
    return;
  }
  tip.row(tr("registers"),
          trf("{} per thread, {} per block", report.registers,
              grouped(static_cast<std::uint64_t>(report.registers) * report.threads)),
          colours.interior);
  tip.row(tr("spills"), trf("{} B per thread", report.spillBytes));
  tip.row(tr("local memory"), trf("{} B per thread", report.stackBytes));
  tip.row(tr("shared"), trf("{} B per block", grouped(static_cast<std::uint64_t>(report.sharedBytes))));
  tip.row(tr("threads"), trf("{} per block", report.threads));
  tip.row(tr("blocks"), trf("{} resident per multiprocessor", report.occupancy.residentBlocks));
  tip.row(tr("occupancy"), percentText(report.occupancy.share), colours.output);
  tip.row(tr("limited by"), tr(report.occupancy.limitedBy));
  tip.note(trf("As reported by NVRTC {} and its assembler for sm_{}. Click: open it.", figure.compiler,
               figure.target.capability));
}

/// Registers of a full bar: less than the maximum of 255, so that small differences are visible.
int fullBar(const RegistersFigure& figure) {
  int most = kFewRegisters;
  for (const CodeReport& report : figure.reports) {
    while (most < report.registers) { most *= 2; }
  }
  return most;
}

class Table {
 public:
  Table(AppState& state, const Theme& theme)
      : state_(state), theme_(theme), figure_(state.figures.registers), axis_(figure_.axis) {}

  void draw() {
    const FontScope font(theme_, Face::Sans, TextSize::Small);
    const float room = ImGui::GetContentRegionAvail().x - theme_.px(kOtherColumns);
    bar_ = std::clamp(room / 2, theme_.px(kBarWidth), theme_.px(kWidestBar));
    ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, ImVec2(theme_.px(4), theme_.px(2)));
    constexpr ImGuiTableFlags kFlags =
        ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_ScrollX;
    if (ImGui::BeginTable("registers", 8, kFlags, {0, heightOfRows()})) {
      const std::array heads = {axis_.empty() ? tr("variant") : axis_.c_str(),
                                tr("points"),
                                tr("threads"),
                                tr("registers"),
                                tr("spills"),
                                tr("shared"),
                                tr("blocks"),
                                tr("occupancy")};
      for (const char* head : heads) {
        ImGui::TableNextColumn();
        label(theme_, theme_.colours().textDim, head);
      }
      for (const CodeReport& report : figure_.reports) { row(report); }
      ImGui::EndTable();
    }
    ImGui::PopStyleVar();
  }

 private:
  [[nodiscard]] float heightOfRows() const {
    const float row = ImGui::GetTextLineHeight() + theme_.px(5);
    const float bar = bar_ > theme_.px(kBarWidth) ? 0 : ImGui::GetStyle().ScrollbarSize;
    const float wanted = row * static_cast<float>(figure_.reports.size() + 1) + bar;
    return std::min(wanted, ImGui::GetContentRegionAvail().y - theme_.px(36));
  }

  [[nodiscard]] bool isChosen(const CodeReport& report) const {
    if (axis_.empty()) { return report.id == state_.experiment->file.id; }
    const auto chosen = state_.experiment->bindings.find(axis_);  // the reports may still be those of another kernel
    return chosen != state_.experiment->bindings.end() && report.bindings.at(axis_) == chosen->second;
  }

  void open(const CodeReport& report) {
    const KernelFile* file = state_.catalogue.find(report.id);
    if (file == nullptr || (!axis_.empty() && file->findTunable(axis_) == nullptr)) { return; }
    state_.choice =
        axis_.empty() ? withKernel(state_, *file) : withValue(*file, state_.choice, axis_, report.bindings.at(axis_));
  }

  void row(const CodeReport& report) {
    const Palette& colours = theme_.colours();
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    const std::string name =
        axis_.empty() ? shownName(state_.catalogue, report.id) : std::to_string(report.bindings.at(axis_));
    const std::string shown = shortName(name) + "##" + report.id + name;
    ImGui::PushStyleColor(ImGuiCol_Text, colours.text);
    if (ImGui::Selectable(shown.c_str(), isChosen(report), ImGuiSelectableFlags_SpanAllColumns)) { open(report); }
    ImGui::PopStyleColor();
    const bool asked = lastItemAsked();
    cell(report.points > 0 ? std::to_string(report.points) : "–", colours.text);
    if (report.registers > 0) {
      cell(std::to_string(report.threads), colours.text);
      ImGui::TableNextColumn();
      barCell(theme_, bar_, std::to_string(report.registers),
              static_cast<float>(report.registers) / static_cast<float>(fullBar(figure_)), colours.interior);
      cell(report.spillBytes > 0 ? fmt::format("{} B", report.spillBytes) : "0",
           report.spillBytes > 0 ? colours.fault : colours.text);
      cell(fmt::format("{} B", grouped(static_cast<std::uint64_t>(report.sharedBytes))), colours.text);
      cell(fmt::format("{}, {}", report.occupancy.residentBlocks, tr(report.occupancy.limitedBy)), colours.text);
      ImGui::TableNextColumn();
      barCell(theme_, bar_, percentText(report.occupancy.share), static_cast<float>(report.occupancy.share),
              colours.output);
    } else {
      // Drawn over the empty columns: as a cell's item it would widen its column.
      ImGui::TableNextColumn();
      const FontScope font(theme_, Face::Sans, TextSize::Small);
      const ImVec2 at = ImGui::GetCursorScreenPos();
      ImDrawList* list = ImGui::GetWindowDrawList();
      ImGui::PushClipRect({at.x, list->GetClipRectMin().y}, {at.x + theme_.px(200), list->GetClipRectMax().y}, false);
      textAt(list, at, report.done ? colours.fault : colours.textDim, report.done ? tr("cannot be launched") : "…");
      ImGui::PopClipRect();
      ImGui::Dummy({0, ImGui::GetTextLineHeight()});
    }
    if (asked) { drawTip(report, figure_, theme_); }
  }

  void cell(const std::string& text, ImU32 colour) const {
    ImGui::TableNextColumn();
    label(theme_, colour, text);
  }

  AppState& state_;
  const Theme& theme_;
  RegistersFigure& figure_;
  const std::string& axis_;  ///< tunable of the rows; if empty, each row is a variant
  float bar_ = 0;            ///< width of a bar
};

}  // namespace

void drawRegistersFigure(AppState& state, const Theme& theme) {
  const FontScope font(theme, Face::Sans, TextSize::Small);
  RegistersFigure& figure = state.figures.registers;
  const Palette& colours = theme.colours();
  if (state.experiment == nullptr) { return; }
  constexpr std::array kWords = {trMark("variants"), trMark("tile sizes")};
  constexpr std::array kTips = {trMark("The variants of the kernel's chapter, by number of points"),
                                trMark("This kernel at each size of its tile or block")};
  figure.ofSizes = choiceRow(theme, "registers of", kWords, figure.ofSizes ? 1 : 0, kTips) == 1;
  ImGui::SameLine(0, theme.px(16));
  gpuBox(state, theme, figure.target.name, theme.px(210));
  const auto done = std::ranges::count(figure.reports, true, &CodeReport::done);
  const bool all = done == static_cast<std::ptrdiff_t>(figure.reports.size());
  if (figure.target.name.empty()) {
    sentence(theme, colours.text, tr("assets/gpus.json lists no GPU to compile for."));
    return;
  }
  if (!figure.missing.empty()) {
    sentence(theme, colours.text, figure.missing);
    return;
  }
  ImGui::SameLine(0, theme.px(12));
  label(theme, colours.textDim,
        all ? fmt::format("NVRTC {}, sm_{}", figure.compiler, figure.target.capability)
            : trf("compiling: {} of {}", done, figure.reports.size()));
  Table(state, theme).draw();
  const std::string registers = trf("registers per thread (full bar: {}, maximum: 255)", fullBar(figure));
  const std::array entries = {
      LegendEntry{theme.faded(colours.interior, 0.55F), registers.c_str()},
      LegendEntry{theme.faded(colours.output, 0.55F), tr("occupancy: resident warps / maximum")}};
  legend(theme, entries);
}

}  // namespace haloscope::ui
