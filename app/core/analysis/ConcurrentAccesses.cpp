#include "analysis/ConcurrentAccesses.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "provenance/ControlFlow.h"
#include "provenance/ValueFlow.h"

namespace haloscope::analysis {
namespace {

/// Loads whose value a compare-and-swap asks for: `old = *p; do … while (atomicCAS(p, assumed, …) != assumed)` begins
/// again where another thread was there in between.
std::vector<bool> loadsThatAreConfirmed(const Program& program) {
  std::vector<bool> confirmed(program.code.size(), false);
  const provenance::ValueFlow flow(program);
  const auto isConfirmed = [&](std::uint32_t load) {
    bool found = false;
    flow.follow({load}, [&](std::uint32_t from, std::uint32_t at) {
      const Instruction& use = program.code[at];
      if (use.op == Opcode::AtomicCompareAndSwap && use.b == program.code[from].dst) {
        found = found || use.aux == program.code[load].aux;
      }
      return use.op == Opcode::Assign || use.op == Opcode::Convert || use.op == Opcode::Reinterpret;
    });
    return found;
  };
  const bool swaps =
      std::ranges::any_of(program.code, [](const Instruction& one) { return one.op == Opcode::AtomicCompareAndSwap; });
  for (std::uint32_t at = 0; swaps && at < program.code.size(); ++at) {
    confirmed[at] = program.code[at].op == Opcode::Load && isConfirmed(at);
  }
  return confirmed;
}

/// Whether what a volatile load reads decides how long a loop runs, or nothing but conditions: then it asks a flag, and
/// is no part of a computation, which could not be sound without a barrier. A loop may wait for a value and its flag in
/// one word, with which the kernel then computes.
bool asksFlag(const Program& program, const provenance::ValueFlow& flow, std::uint32_t load) {
  bool loops = false, asks = false, computes = false;
  flow.follow({load}, [&](std::uint32_t, std::uint32_t at) {
    const Instruction& use = program.code[at];
    loops = loops || use.op == Opcode::LoopTest;
    asks = asks || use.op == Opcode::If;
    computes = computes || writesMemory(use.op) || use.op == Opcode::Shuffle;
    return !isAccess(use.op);
  });
  return loops || (asks && !computes);
}

/// Atomics, volatile loads that ask a flag, and the volatile stores to arrays with flags (PTX ISA, "Memory Consistency
/// Model": volatile accesses are relaxed ones, which do not race with each other). Other volatile loads of such an
/// array read data, and race with these stores.
std::vector<bool> signallingAccesses(const Program& program) {
  std::vector<bool> signals(program.code.size(), false);
  std::vector<bool> hasFlags(program.objects.size(), false);
  const provenance::ValueFlow flow(program);
  for (std::uint32_t at = 0; at < program.code.size(); ++at) {
    const Instruction& one = program.code[at];
    signals[at] = isAtomic(one.op);
    if (one.op != Opcode::Load || !one.isVolatile || !asksFlag(program, flow, at)) { continue; }
    if (one.aux == kNone) {
      hasFlags.assign(hasFlags.size(), true);
    } else {
      hasFlags[one.aux] = true;
      signals[at] = true;
    }
  }
  for (std::uint32_t at = 0; at < program.code.size(); ++at) {
    const Instruction& one = program.code[at];
    if (one.op == Opcode::Store && one.isVolatile && one.aux != kNone && hasFlags[one.aux]) { signals[at] = true; }
  }
  return signals;
}

/// What an access is to the others.
enum class Manner : std::uint8_t { Load, Store, Served };

/// Two loads change nothing, and atomics and flags are served one after the other.
bool conflict(Manner a, Manner b) {
  return (a == Manner::Store || b == Manner::Store) || (a != b && (a == Manner::Load || b == Manner::Load));
}

/// Accesses to one object, those of one place and kind together.
struct Places {
  std::vector<std::vector<std::uint32_t>> instructions;  ///< per place
  std::vector<Manner> manner;                            ///< per place
  std::vector<std::uint32_t> placeOf;                    ///< per instruction; kNone: it does not access the object

  /// `served`: atomics and their like.
  Places(const Program& program, ObjectId object, const std::vector<bool>& served)
      : placeOf(program.code.size(), kNone) {
    std::map<std::tuple<Opcode, bool, int, int, int, int>, std::uint32_t> known;
    for (std::uint32_t at = 0; at < program.code.size(); ++at) {
      const Instruction& instruction = program.code[at];
      if (!isAccess(instruction.op) || (instruction.aux != object && instruction.aux != kNone)) { continue; }
      const SourceRange& range = instruction.range;
      // An access without a place in the source shares its place with nothing.
      const int column = range.valid() ? range.column : static_cast<int>(at);
      const auto [place, isNew] =
          known.try_emplace({instruction.op, served[at], range.line, column, range.endLine, range.endColumn},
                            static_cast<std::uint32_t>(instructions.size()));
      if (isNew) {
        instructions.emplace_back();
        manner.push_back(served[at] ? Manner::Served : instruction.op == Opcode::Load ? Manner::Load : Manner::Store);
      }
      placeOf[at] = place->second;
      instructions[place->second].push_back(at);
    }
  }
};

/// An asynchronous store also takes place where it may be waited for.
void addArrivals(const Program& program, std::vector<std::vector<std::uint32_t>>& intervals) {
  std::vector<std::uint32_t> copies;
  for (std::uint32_t at = 0; at < program.code.size(); ++at) {
    if (program.code[at].async) { copies.push_back(at); }
  }
  if (copies.empty()) { return; }
  for (std::vector<std::uint32_t>& interval : intervals) {
    const bool waits =
        std::ranges::any_of(interval, [&](std::uint32_t at) { return program.code[at].op == Opcode::CopyWait; });
    if (!waits) { continue; }
    std::vector<std::uint32_t> all;
    std::ranges::set_union(interval, copies, std::back_inserter(all));
    interval = std::move(all);
  }
}

/// For each place of Places the places that it could race with, ascending.
std::vector<std::vector<std::uint32_t>> racingPlaces(const Places& places,
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
      for (const std::uint32_t b : here) {
        if (conflict(places.manner[a], places.manner[b])) { partners[a].push_back(b); }
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
    : objects_(program.objects.size()), mayRace_(program.code.size(), false), signals_(signallingAccesses(program)) {
  std::vector<bool> served = loadsThatAreConfirmed(program);
  for (std::uint32_t at = 0; at < served.size(); ++at) { served[at] = served[at] || signals_[at]; }
  std::vector<std::vector<std::uint32_t>> intervals = provenance::ControlFlow(program).intervals();
  addArrivals(program, intervals);
  // Blocks are never ordered against each other: a barrier helps within shared memory only.
  std::vector<std::uint32_t> everything(program.code.size());
  std::iota(everything.begin(), everything.end(), 0U);
  const std::vector<std::vector<std::uint32_t>> launch{everything};
  for (ObjectId object = 0; object < objects_.size(); ++object) {
    OfObject& of = objects_[object];
    of.slotOf.assign(program.code.size(), kNone);
    const MemorySpace space = program.objects[object].space;
    if (space != MemorySpace::Shared && space != MemorySpace::Global) { continue; }
    Places places(program, object, served);
    const auto partners = racingPlaces(places, space == MemorySpace::Global ? launch : intervals);
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
