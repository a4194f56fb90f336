#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "program/Program.h"

namespace haloscope::analysis {

/// Which accesses of a program could race, as far as the code shows: what no two threads can do to one object without a
/// barrier between them needs no watching. In a tile that is filled, then read behind a barrier, this leaves the store.
class ConcurrentAccesses {
 public:
  explicit ConcurrentAccesses(const Program& program);

  /// How many places of the text have accesses to this object that could be part of a race: its slots, in the order of
  /// the code. The instructions that a macro or an inlined function makes of one place share its slot.
  [[nodiscard]] std::size_t slots(ObjectId object) const { return objects_[object].slots.size(); }
  /// The instructions of a slot, ascending, at least one.
  [[nodiscard]] std::span<const std::uint32_t> instructions(ObjectId object, std::uint32_t slot) const {
    return objects_[object].slots[slot];
  }
  /// The slot of an instruction, kNone where it cannot race on this object.
  [[nodiscard]] std::uint32_t slot(ObjectId object, std::uint32_t instruction) const {
    return objects_[object].slotOf[instruction];
  }
  /// Slots that a slot could race with; itself may be among them.
  [[nodiscard]] std::span<const std::uint32_t> partners(ObjectId object, std::uint32_t slot) const {
    return objects_[object].partners[slot];
  }
  /// Whether the instruction could race on any object.
  [[nodiscard]] bool mayRace(std::uint32_t instruction) const { return mayRace_[instruction]; }
  /// Whether it tells other threads something, or asks them: an atomic, or an access to a volatile flag, which is a
  /// variable that conditions ask.
  [[nodiscard]] bool signals(std::uint32_t instruction) const { return signals_[instruction]; }

 private:
  struct OfObject {
    std::vector<std::vector<std::uint32_t>> slots;     ///< instructions
    std::vector<std::uint32_t> slotOf;                 ///< per instruction
    std::vector<std::vector<std::uint32_t>> partners;  ///< per slot, ascending
  };

  std::vector<OfObject> objects_;
  std::vector<bool> mayRace_;
  std::vector<bool> signals_;
};

}  // namespace haloscope::analysis
