#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "figures/LaunchCosts.h"
#include "language/Text.h"
#include "measuring/OpPerByteWays.h"
#include "ui/panels/HardwareLine.h"
#include "ui/widgets/Panel.h"
#include "ui/widgets/Widgets.h"

/// Operations per byte, determined in several ways, and the counts behind them.
namespace haloscope::ui {
namespace {

using Kind = measuring::OpPerByteWay::Kind;

constexpr std::size_t kLeastWays = 4;

ImU32 colourOf(Kind kind, const Palette& colours) {
  switch (kind) {
    case Kind::Formula:
      return colours.textDim;
    case Kind::InteriorBlock:
      return colours.interior;
    case Kind::WholeGrid:
      return Theme::mixed(colours.panel, colours.interior, 0.6F);
    case Kind::WithStores:
      return colours.output;
    case Kind::Dram:
      return colours.good;
    case Kind::Time:
      return Theme::mixed(colours.panel, colours.good, 0.6F);
  }
  return colours.textDim;
}

/// The room of a bar beside its name and its number.
float barRoom(const Theme& theme, float names, float width) { return width - names - textWidth("00.00") - theme.px(8); }

/// The scale below the bars: a number at each decade.
void drawScale(const Theme& theme, float names, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float room = barRoom(theme, names, width), last = at.x + names + room;
  ImDrawList* list = ImGui::GetWindowDrawList();
  for (double value = figures::kLeastOpPerByte; value <= figures::kMostOpPerByte * 1.01; value *= 10) {
    const std::string text = fmt::format("{:g}", value);
    const float wide = textWidth(text);
    const float middle = at.x + names + room * figures::opPerBytePlace(value) - wide / 2;
    textAt(list, {std::clamp(middle, at.x + names, last - wide), at.y}, theme.colours().textDim, text);
  }
  ImGui::Dummy({width, ImGui::GetTextLineHeight()});
}

void drawWay(const Theme& theme, const measuring::OpPerByteWay& way, float names, float width, float height) {
  const Palette& colours = theme.colours();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::InvisibleButton(way.name.c_str(), {width, height}, ImGuiButtonFlags_EnableNav);
  const bool asked = lastItemAsked();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float text = at.y + (height - ImGui::GetTextLineHeight()) / 2;
  textAt(list, {at.x, text}, asked ? colours.text : colours.textDim, way.name);

  const float inset = std::round(height * 0.16F);
  const float room = barRoom(theme, names, width);
  const float length = room * figures::opPerBytePlace(way.value);
  const ImVec2 min{at.x + names, at.y + inset};
  list->AddRectFilled(min, {min.x + room, at.y + height - inset}, theme.faded(colours.textDim, 0.10F), theme.px(2));
  list->AddRectFilled(min, {min.x + std::max(1.0F, length), at.y + height - inset}, colourOf(way.kind, colours),
                      theme.px(2));
  for (double value = 10 * figures::kLeastOpPerByte; value < figures::kMostOpPerByte; value *= 10) {
    const float x = std::round(min.x + room * figures::opPerBytePlace(value));
    list->AddLine({x, at.y}, {x, at.y + height}, theme.faded(colours.textDim, 0.4F), theme.px(1));
  }
  textAt(list, {min.x + length + theme.px(6), text}, colours.text, fmt::format("{:.2f}", way.value));

  if (asked) {
    const Tooltip tip(theme);
    tip.title(fmt::format("{}: {:.5g} OP/B", way.name, way.value), 0, Face::SansStrong);
    for (std::size_t i = 0; i < way.how.size(); ++i) {
      tip.note(way.how[i], i == 0 ? theme.colours().text : theme.colours().textDim);
    }
    tip.row(tr("scale"), tr("0.1 to 100, logarithmic"));
  }
}

/// The counts behind OP/B, as names and values.
using Facts = std::vector<std::pair<std::string, std::string>>;

Facts factsOf(const experiment::Experiment& experiment) {
  const experiment::LaunchCounts& counts = experiment.counts;
  const std::uint32_t threads = experiment.configuration.threadsPerBlock();
  const std::string halo = counts.haloFraction ? trf(", halo {}", percentText(*counts.haloFraction)) : std::string();
  return {{tr("flops"), grouped(counts.flops)},
          {tr("global"), trf("{} in, {} out", byteText(counts.globalLoadBytes), byteText(counts.globalStoreBytes))},
          {tr("shared"), trf("{} per block", byteText(static_cast<std::uint64_t>(counts.sharedBytesPerBlock)))},
          {tr("block"), trf("{} threads{}", grouped(threads), halo)}};
}

float nameWidth(const Theme& theme, const Facts& facts) {
  float width = 0;
  for (const auto& [name, value] : facts) { width = std::max(width, textWidth(name)); }
  return width + theme.px(8);
}

float factsWidth(const Theme& theme, const Facts& facts) {
  float width = 0;
  for (const auto& [name, value] : facts) { width = std::max(width, textWidth(value)); }
  return nameWidth(theme, facts) + width;
}

void drawFacts(const Theme& theme, const experiment::Experiment& experiment, const Facts& facts, float line) {
  const experiment::LaunchCounts& counts = experiment.counts;
  const Palette& colours = theme.colours();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float names = nameWidth(theme, facts);
  float y = at.y;
  for (const auto& [name, value] : facts) {
    const float text = y + (line - ImGui::GetTextLineHeight()) / 2;
    textAt(list, {at.x, text}, colours.textDim, name);
    clippedTextAt(list, {at.x + names, text}, width - names, colours.text, value);
    y += line;
  }
  ImGui::InvisibleButton("facts", {width, y - at.y}, ImGuiButtonFlags_EnableNav);
  if (!lastItemAsked()) { return; }
  const Tooltip tip(theme);
  tip.title(tr("counted for the whole launch"), 0, Face::SansStrong);
  tip.row(tr("flops"), grouped(counts.flops));
  tip.row(tr("global read"), grouped(counts.globalLoadBytes) + " B");
  tip.row(tr("global written"), grouped(counts.globalStoreBytes) + " B");
  tip.row(tr("constant read"), grouped(counts.constantLoadBytes) + " B");
  tip.row(tr("shared read"), grouped(counts.sharedLoadBytes) + " B");
  tip.row(tr("shared written"), grouped(counts.sharedStoreBytes) + " B");
  tip.row(tr("blocks"), grouped(experiment.configuration.grid.count()));
  tip.row(tr("threads per block"), grouped(experiment.configuration.threadsPerBlock()));
  if (counts.haloFraction) {
    tip.row(tr("halo share"), trf("{} of an interior block's loaded points", percentText(*counts.haloFraction)));
  }
  tip.note(tr("Bytes requested by the kernel, before any cache."));
}

/// The sizes of the grid, the values of the tunables, and the type; the variant is named elsewhere.
std::string captionOf(const experiment::Experiment& experiment) {
  std::string caption;
  for (const auto& [name, value] : experiment.bindings) {
    caption += fmt::format("{}{} = {}", caption.empty() ? "" : ", ", name, experiment.file.valueText(name, value));
  }
  return caption;
}

/// Dimmed, and only if it fits between the title and `right`.
void drawCaption(const Theme& theme, const std::string& caption, float right, float top) {
  ImGui::SetCursorPos({right - textWidth(caption), top});
  float title = 0;
  {
    const FontScope font(theme, Face::SansStrong, TextSize::Body);
    title = textWidth(tr("Operations per byte"));
  }
  if (ImGui::GetCursorPosX() < ImGui::GetStyle().WindowPadding.x + title + theme.px(16)) { return; }
  textAt(ImGui::GetWindowDrawList(), ImGui::GetCursorScreenPos(), theme.colours().textDim, caption);
}

/// Rows left out where there is no room; the tooltip still has them.
bool isDetail(Kind kind) { return kind == Kind::InteriorBlock || kind == Kind::WithStores; }

/// The last line: the hardware reading or, without one, why formula and execution differ.
void drawExplanation(const AppState& state, const Theme& theme, float width) {
  const auto counted = measuring::explainOpPerByte(*state.experiment);
  const std::string hardware = hardwareLine(state);
  const std::string& line = hardware.empty() ? counted.line : hardware;
  if (line.empty()) { return; }
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::InvisibleButton("explanation", {width, ImGui::GetTextLineHeight()}, ImGuiButtonFlags_EnableNav);
  clippedTextAt(ImGui::GetWindowDrawList(), at, width, theme.colours().textDim, line);
  if (!lastItemAsked()) { return; }
  if (hardware.empty()) {
    const Tooltip tip(theme);
    tip.note(counted.full, theme.colours().text);
  } else {
    hardwareTooltip(state, theme);
  }
}

void drawOpPerByte(AppState& state, const Theme& theme, const PanelTools&) {
  if (state.experiment == nullptr) {
    panelHeading(theme, "OP/B");
    label(theme, theme.colours().textDim, state.computing ? tr("counting…") : tr("Nothing was executed."));
    return;
  }
  const experiment::Experiment& experiment = *state.experiment;
  const ImVec2 begin = ImGui::GetCursorPos();
  const float right = begin.x + ImGui::GetContentRegionAvail().x;
  panelHeading(theme, tr("Operations per byte"));
  const ImVec2 afterHeading = ImGui::GetCursorPos();
  const float link = measureLink(state, theme, right, begin.y + theme.px(2));
  const FontScope font(theme, Face::Sans, TextSize::Small);
  drawCaption(theme, captionOf(experiment), right - link, begin.y + theme.px(2));
  ImGui::SetCursorPos(afterHeading);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  std::vector<measuring::OpPerByteWay> ways = measuring::opPerByteWays(experiment, shownReading(state));
  // Rows and the explanation share the available height, so that a low panel does not scroll.
  const float text = ImGui::GetTextLineHeight();
  const float least = std::floor(text * 0.95F);
  const float height = ImGui::GetContentRegionAvail().y - 2 * text;
  if (static_cast<float>(ways.size()) * least > height && ways.size() > kLeastWays) {
    std::erase_if(ways, [](const measuring::OpPerByteWay& way) { return isDetail(way.kind); });
  }
  float names = 0;
  for (const measuring::OpPerByteWay& way : ways) { names = std::max(names, textWidth(way.name) + theme.px(10)); }

  const float width = ImGui::GetContentRegionAvail().x;
  const Facts facts = factsOf(experiment);
  const float bars = width - factsWidth(theme, facts) - theme.px(16);
  const bool beside = bars > theme.px(170);
  const float line = std::clamp(std::floor(height / static_cast<float>(ways.size())), least, text + theme.px(6));
  const ImVec2 origin = ImGui::GetCursorPos();
  for (const measuring::OpPerByteWay& way : ways) { drawWay(theme, way, names, beside ? bars : width, line); }
  drawScale(theme, names, beside ? bars : width);
  const float below = ImGui::GetCursorPosY();
  if (beside) { ImGui::SetCursorPos({origin.x + bars + theme.px(16), origin.y}); }
  drawFacts(theme, experiment, facts, line);
  ImGui::SetCursorPos({origin.x, std::max(below, ImGui::GetCursorPosY())});
  drawExplanation(state, theme, width);
  ImGui::PopStyleVar();
}

}  // namespace

extern const Panel kOpPerBytePanel = {.tab = Tab::OpPerByte, .title = trMark("OP/B"), .draw = drawOpPerByte};

}  // namespace haloscope::ui
