#include "actions/ProgramFaultActions.h"

#include <algorithm>

#include "actions/Findings.h"
#include "actions/ProgramSteps.h"
#include "state/AppState.h"

namespace haloscope {

std::vector<ProgramFault> programFaults(const AppState& state) {
  const auto& executed = state.program.executed;
  if (executed == nullptr || !state.launches.contains(state.choice.kernel)) { return {}; }
  std::vector<ProgramFault> shown;
  for (const ProgramFault& fault : executed->faults) {
    const auto same = [&](const faults::Finding& one) {
      return fault.kind == one.kind && one.where.line == fault.at.line;
    };
    if (std::ranges::none_of(findings(state), same)) { shown.push_back(fault); }
  }
  return shown;
}

void chooseProgramFault(AppState& state, const ProgramFault& fault) {
  const auto& executed = state.program.executed;
  if (executed == nullptr) { return; }
  if (!fault.launch) { return chooseHostPlace(state, fault.at); }
  const auto& launches = executed->timeline.launches;
  if (*fault.launch < launches.size()) { selectColumn(state, launches[*fault.launch]); }
  state.program.place = fault.at;
}

void chooseHostPlace(AppState& state, const host::HostPlace& at) {
  const auto& executed = state.program.executed;
  if (executed == nullptr) { return; }
  const auto& columns = executed->timeline.columns;
  const auto call = std::ranges::find_if(columns, [&](const ProgramColumn& one) {
    return one.kind != ProgramColumn::Kind::Print && executed->run.events[one.event].at == at;
  });
  if (call == columns.end()) {
    deselectColumn(state);
  } else {
    selectColumn(state, static_cast<std::size_t>(call - columns.begin()));
  }
  if (at.line > 0) { state.program.place = at; }
}

}  // namespace haloscope
