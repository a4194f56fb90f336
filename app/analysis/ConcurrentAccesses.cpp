#include "analysis/ConcurrentAccesses.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "analysis/ControlFlow.h"

namespace haloscope::analysis {
namespace {

/// Two loads change nothing, and atomics are served one after the other.
bool conflict(Opcode a, Opcode b) {
  if (a == Opcode::Load && b == Opcode::Load) { return false; }
  return !isAtomic(a) || !isAtomic(b);
}

/// Accesses to one object, those of one place and kind together.
struct Places {
  std::vector<std::vector<std::uint32_t>> instructions;  ///< per place
  std::vector<std::uint32_t> placeOf;                    ///< per instruction; kNone: it does not access the object

  Places(const Program& program, ObjectId object) : placeOf(program.code.size(), kNone) {
    std::map<std::tuple<Opcode, int, int, int, int>, std::uint32_t> known;
    for (std::uint32_t at = 0; at < program.code.size(); ++at) {
      const Instruction& instruction = program.code[at];
      if (!isAccess(instruction.op) || (instruction.aux != object && instruction.aux != kNone)) { continue; }
      const SourceRange& range = instruction.range;
      // What stands nowhere in the text shares its place with nothing.
      const int column = range.valid() ? range.column : static_cast<int>(at);
      const auto [place, isNew] =
          known.try_emplace({instruction.op, range.line, column, range.endLine, range.endColumn},
                            static_cast<std::uint32_t>(instructions.size()));
      if (isNew) { instructions.emplace_back(); }
      placeOf[at] = place->second;
      instructions[place->second].push_back(at);
    }
  }
};

/// For each place of Places the places that it could race with, ascending.
std::vector<std::vector<std::uint32_t>> racingPlaces(const Program& program, const Places& places,
                                                     const std::vector<std::vector<std::uint32_t>>& intervals) {
  std::vector<std::vector<std::uint32_t>> partners(places.instructions.size());
  for (const std::vector<std::uint32_t>& interval : intervals) {
    std::vector<std::uint32_t> here;
    for (const std::uint32_t at : interval) {
      if (places.placeOf[at] != kNone) { here.push_back(places.placeOf[at]); }
    }
    std::sort(here.begin(), here.end());
    here.erase(std::unique(here.begin(), here.end()), here.end());
    for (const std::uint32_t a : here) {
      const Opcode op = program.code[places.instructions[a].front()].op;
      for (const std::uint32_t b : here) {
        if (conflict(op, program.code[places.instructions[b].front()].op)) { partners[a].push_back(b); }
      }
    }
  }
  for (std::vector<std::uint32_t>& of : partners) {
    std::sort(of.begin(), of.end());
    of.erase(std::unique(of.begin(), of.end()), of.end());
  }
  return partners;
}

}  // namespace

ConcurrentAccesses::ConcurrentAccesses(const Program& program)
    : objects_(program.objects.size()), mayRace_(program.code.size(), false) {
  const std::vector<std::vector<std::uint32_t>> intervals = ControlFlow(program).intervals();
  // Blocks are never ordered against each other: a barrier helps within shared memory only.
  std::vector<std::uint32_t> everything(program.code.size());
  std::iota(everything.begin(), everything.end(), 0U);
  const std::vector<std::vector<std::uint32_t>> launch{everything};
  for (ObjectId object = 0; object < objects_.size(); ++object) {
    OfObject& of = objects_[object];
    of.slotOf.assign(program.code.size(), kNone);
    const MemorySpace space = program.objects[object].space;
    if (space != MemorySpace::Shared && space != MemorySpace::Global) { continue; }
    Places places(program, object);
    const auto partners = racingPlaces(program, places, space == MemorySpace::Global ? launch : intervals);
    std::vector<std::uint32_t> slotOfPlace(partners.size(), kNone);
    for (std::uint32_t place = 0; place < partners.size(); ++place) {
      if (partners[place].empty()) { continue; }
      slotOfPlace[place] = static_cast<std::uint32_t>(of.slots.size());
      for (const std::uint32_t at : places.instructions[place]) {
        of.slotOf[at] = slotOfPlace[place];
        mayRace_[at] = true;
      }
      of.slots.push_back(std::move(places.instructions[place]));
    }
    for (const std::vector<std::uint32_t>& ofPlace : partners) {
      if (ofPlace.empty()) { continue; }
      std::vector<std::uint32_t>& slots = of.partners.emplace_back();
      for (const std::uint32_t partner : ofPlace) { slots.push_back(slotOfPlace[partner]); }
    }
  }
}

}  // namespace haloscope::analysis
