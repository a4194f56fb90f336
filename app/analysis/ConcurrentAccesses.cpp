#include "analysis/ConcurrentAccesses.h"

#include <algorithm>

#include "analysis/ControlFlow.h"

namespace haloscope::analysis {
namespace {

/// Two loads change nothing, and atomics are served one after the other.
bool conflict(Opcode a, Opcode b) {
  if (a == Opcode::Load && b == Opcode::Load) { return false; }
  return !isAtomic(a) || !isAtomic(b);
}

}  // namespace

ConcurrentAccesses::ConcurrentAccesses(const Program& program)
    : objects_(program.objects.size()), mayRace_(program.code.size(), false) {
  const std::vector<std::vector<bool>> intervals = ControlFlow(program).intervals();
  const auto inOneInterval = [&intervals](std::uint32_t a, std::uint32_t b) {
    return std::any_of(intervals.begin(), intervals.end(),
                       [=](const std::vector<bool>& interval) { return interval[a] && interval[b]; });
  };
  for (ObjectId object = 0; object < objects_.size(); ++object) {
    OfObject& of = objects_[object];
    of.slotOf.assign(program.code.size(), kNone);
    const MemorySpace space = program.objects[object].space;
    if (space != MemorySpace::Shared && space != MemorySpace::Global) { continue; }
    std::vector<std::uint32_t> accesses;
    for (std::uint32_t at = 0; at < program.code.size(); ++at) {
      const Instruction& instruction = program.code[at];
      if (!isAccess(instruction.op)) { continue; }
      if (instruction.aux == object || instruction.aux == kNone) { accesses.push_back(at); }
    }
    // Blocks are never ordered against each other: a barrier helps within shared memory only.
    const auto mayRaceWith = [&](std::uint32_t a, std::uint32_t b) {
      return conflict(program.code[a].op, program.code[b].op) && (space == MemorySpace::Global || inOneInterval(a, b));
    };
    for (const std::uint32_t a : accesses) {
      if (std::none_of(accesses.begin(), accesses.end(), [&](std::uint32_t b) { return mayRaceWith(a, b); })) {
        continue;
      }
      of.slotOf[a] = static_cast<std::uint32_t>(of.slots.size());
      of.slots.push_back(a);
      mayRace_[a] = true;
    }
    of.partners.resize(of.slots.size());
    for (std::uint32_t a = 0; a < of.slots.size(); ++a) {
      for (std::uint32_t b = 0; b < of.slots.size(); ++b) {
        if (mayRaceWith(of.slots[a], of.slots[b])) { of.partners[a].push_back(b); }
      }
    }
  }
}

}  // namespace haloscope::analysis
