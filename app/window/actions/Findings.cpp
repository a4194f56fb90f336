#include "actions/Findings.h"

#include <fmt/format.h>

#include <algorithm>

#include "actions/BugLabTasks.h"
#include "faults/FindingPosition.h"
#include "language/Text.h"

namespace haloscope {

using faults::Finding;
using faults::FindingKind;

namespace {

bool sameBlock(const AppState& state, const Finding& finding) {
  return finding.threads.empty() ||
         (state.experiment != nullptr && state.experiment->block == finding.threads.front().block);
}

/// Whether a race becomes visible at its other access: in this block, after the first one.
bool otherIsLater(const AppState& state, const Finding& finding) {
  if (!finding.other.valid() || finding.threads.size() < 2 || finding.threads[0].block != finding.threads[1].block ||
      state.cursor.empty()) {
    return false;
  }
  const recording::Recording& recording = state.cursor.recording();
  return faults::positionOf(finding.other, finding, recording) > faults::positionOf(finding.where, finding, recording);
}

}  // namespace

std::span<const Finding> findings(const AppState& state) {
  return state.report != nullptr && !findingsHidden(state) ? std::span<const Finding>(state.report->findings)
                                                           : std::span<const Finding>();
}

const Finding* chosenFinding(const AppState& state) {
  const std::span<const Finding> all = findings(state);
  const std::optional<std::size_t> chosen = state.selection.finding;
  return chosen && *chosen < all.size() ? &all[*chosen] : nullptr;
}

void chooseFinding(AppState& state, std::size_t index) {
  state.selection.finding = index;
  const Finding* finding = chosenFinding(state);
  if (finding == nullptr) { return; }
  state.playback.playing = false;
  state.selection.followFinding = true;
  if (!sameBlock(state, *finding)) { state.choice.block = finding->threads.front().block; }
  followFinding(state);
}

void chooseNeighbourFinding(AppState& state, int by) {
  const auto count = static_cast<int>(findings(state).size());
  if (count == 0) { return; }
  const int before = state.selection.finding ? static_cast<int>(*state.selection.finding) : by > 0 ? -1 : 0;
  chooseFinding(state, static_cast<std::size_t>(((before + by) % count + count) % count));
}

std::string countedFindings(std::size_t findings, std::size_t notes) {
  std::string text = findings == 0 ? tr("no findings") : trn("{} finding", "{} findings", findings, findings);
  if (notes > 0) { text += " · " + trn("{} note", "{} notes", notes, notes); }
  return text;
}

void chooseNextFinding(AppState& state) { chooseNeighbourFinding(state, 1); }
void choosePreviousFinding(AppState& state) { chooseNeighbourFinding(state, -1); }

void followFinding(AppState& state) {
  const Finding* finding = chosenFinding(state);
  if (!state.selection.followFinding || finding == nullptr || state.computing || !sameBlock(state, *finding)) {
    return;
  }
  state.selection.followFinding = false;
  const bool later = otherIsLater(state, *finding);
  const std::size_t thread = later ? 1 : 0;
  if (thread < finding->threads.size()) {
    const Dim3& block = state.experiment->configuration.block;
    state.selection.thread = static_cast<std::uint32_t>(linear(finding->threads[thread].thread, block));
  }
  goToPlace(state, *finding, later ? finding->other : finding->where);
}

void goToPlace(AppState& state, const Finding& finding, const SourceRange& where) {
  if (state.cursor.empty()) { return; }
  state.playback.playing = false;
  if (const auto position = faults::positionOf(where, finding, state.cursor.recording())) {
    state.cursor.goTo(*position);
  }
}

std::span<const Finding> shownFindings(const AppState& state) {
  const Finding* chosen = chosenFinding(state);
  return chosen != nullptr ? std::span(chosen, 1) : findings(state);
}

std::vector<std::int64_t> faultyCells(const AppState& state) {
  std::vector<std::int64_t> cells;
  const std::span<const Finding> asked = shownFindings(state);
  if (state.experiment == nullptr || asked.empty()) { return cells; }
  const recording::Footprint& footprint = state.experiment->footprint;
  for (const std::int64_t element : footprint.outputs) {
    const auto reaches = [&](const Finding& finding) { return finding.reaches({footprint.output, element}); };
    if (std::ranges::any_of(asked, reaches)) { cells.push_back(element); }
  }
  return cells;
}

std::vector<faults::OutputRun> faultyRuns(const AppState& state) {
  std::vector<faults::OutputRun> runs;
  if (state.experiment == nullptr || state.experiment->footprint.outputExtents.empty()) { return runs; }
  const recording::Footprint& footprint = state.experiment->footprint;
  const std::int64_t row = footprint.outputExtents.back();
  for (const Finding& finding : shownFindings(state)) {
    for (const faults::OutputRun& run : finding.reached) {
      if (run.object != footprint.output || row <= 0) { continue; }
      for (std::int64_t begin = run.begin; begin < run.end;) {
        const std::int64_t end = std::min(run.end, (begin / row + 1) * row);
        runs.push_back({run.object, begin, end});
        begin = end;
      }
    }
  }
  return runs;
}

}  // namespace haloscope
