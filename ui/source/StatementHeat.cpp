#include "ui/source/StatementHeat.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "language/Text.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {
namespace {

using analysis::StatementCounts;

using analysis::RequestTotals;

constexpr std::array<const char*, 5> kHeatWords = {trMark("flops"), trMark("bytes"), trMark("lanes"), trMark("sectors"),
                                                   trMark("banks")};
constexpr std::array<const char*, 5> kHeatTips = {
    trMark("Share of the launch's floating-point operations that each statement executed."),
    trMark("Share of the launch's bytes read from and written to global memory, as the code requests them, before any "
           "cache."),
    trMark("Active lanes of the warps that executed each statement: a full bar is 32 of 32, a short one means "
           "divergence."),
    trMark("32-byte sectors touched by one global memory request of a warp: 4 for 32 contiguous floats, 32 at worst."),
    trMark(
        "Bank-conflict degree of shared memory: the most different words in one bank, served one after another; 1 is "
        "none.")};

std::uint64_t globalBytes(const analysis::Traffic& traffic) { return traffic.globalLoad + traffic.globalStore; }

/// A statement's part of a sum.
double measured(const StatementCounts& counts, HeatMeasure measure) {
  return static_cast<double>(measure == HeatMeasure::Flops ? counts.flops : globalBytes(counts.traffic));
}

void add(StatementCounts& sum, const StatementCounts& counts) {
  sum.executions += counts.executions;
  sum.lanes += counts.lanes;
  sum.flops += counts.flops;
  sum.traffic.globalLoad += counts.traffic.globalLoad;
  sum.traffic.globalStore += counts.traffic.globalStore;
  sum.traffic.sharedLoad += counts.traffic.sharedLoad;
  sum.traffic.sharedStore += counts.traffic.sharedStore;
  sum.traffic.constantLoad += counts.traffic.constantLoad;
  sum.traffic.localLoad += counts.traffic.localLoad;
  sum.traffic.localStore += counts.traffic.localStore;
  sum.traffic.clusterLoad += counts.traffic.clusterLoad;
  sum.traffic.clusterStore += counts.traffic.clusterStore;
}

/// Memory requests of the statements that begin on a line, or, with `covering`, lie on it.
RequestTotals requestsOfLine(const experiment::Experiment& experiment, int line, bool covering) {
  RequestTotals sum;
  const std::vector<Statement>& statements = experiment.program->statements;
  for (std::size_t i = 0; i < std::min(statements.size(), experiment.requests.statements.size()); ++i) {
    const SourceRange& range = statements[i].range;
    const bool on = covering ? range.line <= line && line <= range.endLine : range.line == line;
    if (range.valid() && on) { sum.add(experiment.requests.statements[i]); }
  }
  return sum;
}

/// Counts per line, of the statements that begin on it.
std::vector<StatementCounts> countsByLine(const experiment::Experiment& experiment) {
  std::vector<StatementCounts> lines;
  const std::vector<Statement>& statements = experiment.program->statements;
  const std::size_t count = std::min(statements.size(), experiment.grid.statements.size());
  for (std::size_t i = 0; i < count; ++i) {
    if (!statements[i].range.valid()) { continue; }
    const auto line = static_cast<std::size_t>(statements[i].range.line);
    if (lines.size() < line) { lines.resize(line); }
    add(lines[line - 1], experiment.grid.statements[i]);
  }
  return lines;
}

/// The total that shares are shares of, and the largest share a line has.
struct Scale {
  double total = 0;
  double largest = 0;
};

Scale scaleOf(const experiment::Experiment& experiment, HeatMeasure measure) {
  Scale scale;
  scale.total = measure == HeatMeasure::Flops ? static_cast<double>(experiment.grid.flops)
                                              : static_cast<double>(globalBytes(experiment.grid.traffic));
  if (scale.total <= 0) { return scale; }
  for (const StatementCounts& line : countsByLine(experiment)) {
    scale.largest = std::max(scale.largest, measured(line, measure) / scale.total);
  }
  return scale;
}

void trafficRow(const Tooltip& tip, const char* space, std::uint64_t load, std::uint64_t store) {
  if (load == 0 && store == 0) { return; }
  std::string text;
  if (load > 0) { text = trf("{} read", byteText(load)); }
  if (store > 0) { text += trf("{}{} written", (text.empty() ? "" : ", "), byteText(store)); }
  tip.row(space, text);
}

void requestRows(const Tooltip& tip, const RequestTotals& requests) {
  if (requests.globalRequests > 0) {
    tip.row(tr("sectors"), trf("{:.2f} per request, {} in total; {} would suffice", requests.sectorsPerRequest(),
                               grouped(requests.sectors), grouped(requests.idealSectors)));
  }
  if (requests.sharedRequests > 0) {
    tip.row(tr("banks"), requests.bankDegreeMax == 1 ? std::string(tr("no conflict"))
                                                     : trf("{:.2f} words in one bank per request, {} at most",
                                                           requests.meanBankDegree(), requests.bankDegreeMax));
  }
  if (requests.constantRequests > 0) {
    tip.row(tr("broadcast"), requests.constantPasses == requests.constantRequests
                                 ? std::string(tr("all lanes read one constant"))
                                 : trf("{:.2f} different constants per request, served one after another",
                                       requests.passesPerConstantRequest()));
  }
}

}  // namespace

std::vector<LineHeat> statementHeat(const experiment::Experiment& experiment, HeatMeasure measure) {
  const std::vector<StatementCounts> counts = countsByLine(experiment);
  const Scale scale = scaleOf(experiment, measure);
  std::vector<LineHeat> lines(counts.size());
  for (std::size_t i = 0; i < counts.size(); ++i) {
    lines[i].counted = counts[i].executions > 0;
    if (measure == HeatMeasure::Lanes) {
      lines[i].bar = counts[i].laneEfficiency();
    } else if (measure == HeatMeasure::Sectors || measure == HeatMeasure::Banks) {
      const RequestTotals requests = requestsOfLine(experiment, static_cast<int>(i) + 1, false);
      const double perRequest =
          measure == HeatMeasure::Sectors ? requests.sectorsPerRequest() : requests.meanBankDegree();
      lines[i].bar = std::min(1.0, perRequest / kWarpSize);
    } else if (scale.largest > 0) {
      lines[i].bar = measured(counts[i], measure) / scale.total / scale.largest;
    }
  }
  return lines;
}

ImU32 heatColour(const Theme& theme, HeatMeasure measure) {
  switch (measure) {
    case HeatMeasure::Flops:
      return theme.of(recording::Activity::Compute);
    case HeatMeasure::GlobalBytes:
      return theme.of(recording::Activity::Load);
    case HeatMeasure::Lanes:
      return theme.colours().active;
    case HeatMeasure::Sectors:
      return theme.colours().halo;
    case HeatMeasure::Banks:
      return theme.colours().series;
  }
  return 0;
}

HeatMeasure heatHeading(const Theme& theme, const std::string& title) {
  const float top = ImGui::GetCursorPosY();
  const float left = ImGui::GetCursorPosX();
  const float width = ImGui::GetContentRegionAvail().x;
  panelHeading(theme, title);
  const float below = ImGui::GetCursorPosY();
  float titleWidth = 0;
  {
    const FontScope font(theme, Face::SansStrong, TextSize::Body);
    titleWidth = textWidth(title);
  }
  const float choices = choiceRowWidth(theme, kHeatWords);
  const bool beside = titleWidth + theme.px(16) + choices <= width;
  if (beside) { ImGui::SetCursorPos({left + width - choices, top + theme.px(1)}); }
  const auto measure = static_cast<HeatMeasure>(choiceRow(theme, "heat", kHeatWords, storedInt("heat", 1), kHeatTips));
  store("heat", static_cast<int>(measure));
  if (beside) { ImGui::SetCursorPos({left, below}); }
  return measure;
}

void heatLegend(const Theme& theme, const experiment::Experiment& experiment, HeatMeasure measure) {
  const Scale scale = scaleOf(experiment, measure);
  std::string text;
  switch (measure) {
    case HeatMeasure::Flops:
      text = scale.total > 0 ? trf("share of the {} flops; longest bar {}", grouped(experiment.grid.flops),
                                   percentText(scale.largest))
                             : tr("no floating-point operation was executed");
      break;
    case HeatMeasure::GlobalBytes:
      text = scale.total > 0 ? trf("share of the {} of global traffic; longest bar {}",
                                   byteText(globalBytes(experiment.grid.traffic)), percentText(scale.largest))
                             : tr("global memory was not accessed");
      break;
    case HeatMeasure::Lanes:
      text = tr("active lanes per warp; longest bar 32 of 32");
      break;
    case HeatMeasure::Sectors:
      text = experiment.requests.all.globalRequests > 0
                 ? trf("{} sectors, {:.1f} per request; longest bar 32", grouped(experiment.requests.all.sectors),
                       experiment.requests.all.sectorsPerRequest())
                 : tr("global memory was not accessed");
      break;
    case HeatMeasure::Banks:
      text = experiment.requests.all.sharedRequests > 0
                 ? trf("words in one bank per request, {:.1f} on average; longest bar 32",
                       experiment.requests.all.meanBankDegree())
                 : tr("shared memory was not accessed");
      break;
  }
  const LegendEntry entry{heatColour(theme, measure), text.c_str()};
  legend(theme, {&entry, 1});
}

void lineTooltip(const Theme& theme, const experiment::Experiment& experiment, int line) {
  StatementCounts sum;
  int statements = 0;
  const Program& program = *experiment.program;
  for (std::size_t i = 0; i < std::min(program.statements.size(), experiment.grid.statements.size()); ++i) {
    const SourceRange& range = program.statements[i].range;
    if (range.line > line || range.endLine < line) { continue; }
    add(sum, experiment.grid.statements[i]);
    ++statements;
  }
  if (statements == 0) { return; }
  const Tooltip tip(theme);
  tip.title(trf("line {}, whole grid", line), 0, Face::SansStrong);
  if (sum.executions == 0) {
    tip.note(tr("never executed"));
    return;
  }
  tip.row(tr("executed"), statements == 1
                              ? trf("{} times by warps", grouped(sum.executions))
                              : trf("{} times by warps, {} statements", grouped(sum.executions), statements));
  tip.row(tr("lanes"), trf("{} in total, {:.1f} of 32 active", grouped(sum.lanes), kWarpSize * sum.laneEfficiency()));
  const auto share = [](std::uint64_t part, std::uint64_t whole) {
    return percentText(whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole));
  };
  if (sum.flops > 0) {
    tip.row(tr("flops"), trf("{}, {} of the total", grouped(sum.flops), share(sum.flops, experiment.grid.flops)));
  }
  trafficRow(tip, tr("global"), sum.traffic.globalLoad, sum.traffic.globalStore);
  trafficRow(tip, tr("shared"), sum.traffic.sharedLoad, sum.traffic.sharedStore);
  trafficRow(tip, tr("cluster"), sum.traffic.clusterLoad, sum.traffic.clusterStore);
  trafficRow(tip, tr("constant"), sum.traffic.constantLoad, 0);
  trafficRow(tip, tr("local"), sum.traffic.localLoad, sum.traffic.localStore);
  if (const std::uint64_t bytes = globalBytes(sum.traffic); bytes > 0) {
    tip.row("", trf("{} of all global bytes", share(bytes, globalBytes(experiment.grid.traffic))));
  }
  requestRows(tip, requestsOfLine(experiment, line, true));
  tip.note(tr("Click: go to its next execution. Shift-click: the previous one."));
}

}  // namespace haloscope::ui
