#include "recording/LogAssignments.h"

#include <algorithm>
#include <iterator>

namespace haloscope::recording {

LogAssignments::LogAssignments(const Program& placed, const std::vector<LogSite>& sites, const ProgramPlaces& places)
    : placed_(placed),
      places_(places),
      variableOf_(placed.registers.size(), kNone),
      known_(sites.size(), {{kNone, kNone}, {}}) {
  for (VariableId id = 0; id < placed.variables.size(); ++id) {
    if (placed.variables[id].reg != kNone) { variableOf_[placed.variables[id].reg] = id; }
  }
}

const std::vector<LogAssignment>& LogAssignments::of(std::uint32_t begin, const LogEntry& entry, const LogSite& site) {
  auto& [of, list] = known_[entry.site];
  if (of == std::pair(begin, entry.function)) { return list; }
  of = {begin, entry.function};
  list.clear();
  std::vector<VariableId> ids;
  for (VariableId id = 0; id < placed_.variables.size(); ++id) {
    const Variable& one = placed_.variables[id];
    if (one.function == entry.function && one.declared == site.declared) { ids.push_back(id); }
  }
  if (ids.empty()) {
    // Behind a reference: what the statement assigns to there.
    for (std::uint32_t i = begin; i < places_.end(begin); ++i) {
      const Instruction& one = placed_.code[i];
      const VariableId variable = one.dst == kNone ? kNone : variableOf_[one.dst];
      if (one.op == Opcode::Assign && one.range == site.range && variable != kNone) { ids.push_back(variable); }
    }
  } else {
    ids.erase(ids.begin(), ids.begin() + std::min<std::ptrdiff_t>(site.field, std::ssize(ids)));
  }
  for (const VariableId id : ids) { list.push_back({id, writerOf(id, begin, site)}); }
  return list;
}

/// The instruction of a unit that writes a variable: if there are several, the last one within the assignment.
std::uint32_t LogAssignments::writerOf(VariableId id, std::uint32_t begin, const LogSite& site) const {
  std::uint32_t last = kNone, within = kNone;
  for (std::uint32_t i = begin; i < places_.end(begin); ++i) {
    if (placed_.code[i].dst != placed_.variables[id].reg) { continue; }
    last = i;
    if (isWithin(placed_.code[i].range, site.range)) { within = i; }
  }
  const auto same = [&](const Instruction& one) {
    return one.dst == placed_.variables[id].reg && isWithin(one.range, site.range);
  };
  if (last == kNone && site.range.valid() && places_.comesLater(begin, same)) { throw skippedCall(site); }
  return within != kNone ? within : last;
}

}  // namespace haloscope::recording
