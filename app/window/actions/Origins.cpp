#include "actions/Origins.h"

#include <algorithm>
#include <cstddef>

namespace haloscope {

std::vector<OriginRow> originRows(const experiment::TracedOutput& traced) {
  std::vector<OriginRow> rows;
  for (std::uint32_t i = 0; i < traced.sum.terms.size(); ++i) {
    const provenance::Term& term = traced.sum.terms[i];
    rows.push_back({i, term.value, term.coefficient, false});
    if (term.value) { continue; }
    for (const std::uint32_t operand : term.operands) {
      if (operand != term.coefficient) { rows.push_back({i, operand, {}, true}); }
    }
  }
  return rows;
}

const experiment::TracedOutput* shownOrigins(const AppState& state) {
  const Origins& origins = state.origins;
  const bool current = state.experiment != nullptr && origins.experiment == state.experiment && origins.wanted &&
                       origins.element == *origins.wanted;
  return current ? origins.trace.get() : nullptr;
}

void chooseOutput(AppState& state, std::int64_t element) {
  const auto writer = state.experiment->writes.writer(element);
  if (!writer) { return; }
  state.selection.thread = *writer;
  state.selection.output = element;
}

void chooseOperand(AppState& state, std::uint32_t operand) {
  const experiment::TracedOutput* traced = shownOrigins(state);
  if (traced == nullptr || operand >= traced->trace.operands.size()) { return; }
  state.origins.operand = operand;
  goToOrigin(state, traced->trace.operands[operand].loadedAt);
}

void chooseNeighbourOperand(AppState& state, int by) {
  const experiment::TracedOutput* traced = shownOrigins(state);
  if (traced == nullptr) { return; }
  std::vector<std::uint32_t> operands;
  for (const OriginRow& row : originRows(*traced)) {
    if (row.operand) { operands.push_back(*row.operand); }
  }
  if (operands.empty()) { return; }
  const auto chosen = state.origins.operand ? std::ranges::find(operands, *state.origins.operand) : operands.end();
  if (chosen == operands.end()) {
    chooseOperand(state, by > 0 ? operands.front() : operands.back());
    return;
  }
  const auto next = std::clamp<std::ptrdiff_t>(chosen - operands.begin() + by, 0, std::ssize(operands) - 1);
  chooseOperand(state, operands[static_cast<std::size_t>(next)]);
}

void goToOrigin(AppState& state, std::uint32_t step) {
  state.playback.playing = false;
  if (state.origins.wanted) { state.selection.output = state.origins.wanted; }
  state.cursor.goTo(std::size_t{step} + 1);
}

}  // namespace haloscope
