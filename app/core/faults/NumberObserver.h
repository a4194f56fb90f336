#pragma once

#include <map>
#include <memory>
#include <vector>

#include "faults/Finding.h"
#include "faults/Occurrences.h"
#include "program/Program.h"
#include "simt/Observer.h"

namespace haloscope::faults {

/// Watches the values at a few instructions that the text made suspect.
class NumberObserver : public simt::Observer {
 public:
  [[nodiscard]] Wants wants() const final { return {.instructions = true}; }
  [[nodiscard]] bool follows(std::uint32_t instruction) const final { return suspect_[instruction]; }
  void instruction(const simt::WarpContext& context, std::uint32_t instruction) final {
    if (!suspect_[instruction]) { return; }
    LaneMask seen = 0;
    for (LaneMask rest = context.active; rest != 0; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      if (faulty(*context.state, program_.code[instruction], lane)) { seen |= LaneMask{1} << lane; }
    }
    const Instruction& code = program_.code[instruction];
    sightings_[instruction].add(context, seen, code.a, code.b);
  }
  void join(simt::Observer& worker) final {
    for (const auto& [instruction, sighting] : static_cast<NumberObserver&>(worker).sightings_) {
      sightings_[instruction].add(sighting);
    }
  }
  /// Whether there is anything to watch: a launch need not be observed otherwise.
  [[nodiscard]] bool needed() const {
    for (const bool suspect : suspect_) {
      if (suspect) { return true; }
    }
    return false;
  }

 protected:
  explicit NumberObserver(const Program& program) : program_(program), suspect_(program.code.size()) {}
  NumberObserver(const NumberObserver&) = default;
  /// Whether the instruction went wrong in this lane.
  [[nodiscard]] virtual bool faulty(const simt::Warp& warp, const Instruction& instruction, int lane) const = 0;

  const Program& program_;
  std::vector<bool> suspect_;  ///< per instruction
  std::map<std::uint32_t, Occurrences> sightings_;
};

}  // namespace haloscope::faults
