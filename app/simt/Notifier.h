#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "simt/Observer.h"

namespace haloscope::simt {

/// One worker's copies of the observers, sorted by what they want to hear.
class Notifier {
 public:
  /// Forks the observers, in their order, for a program of so many instructions.
  Notifier(std::span<Observer* const> observers, std::size_t instructions);

  /// What at least one of the observers wants.
  [[nodiscard]] static Observer::Wants wants(std::span<Observer* const> observers);

  /// Per instruction: whether an observer listens to its accesses. Empty when none does at all.
  [[nodiscard]] static std::vector<bool> observedAccesses(std::span<Observer* const> observers,
                                                          std::size_t instructions);

  /// Whether any observer wants instructions.
  [[nodiscard]] bool wantsInstructions() const { return !instructions_.empty(); }
  /// Observers that want statements, an instruction, accesses of an instruction; and all of them, for what is rare.
  [[nodiscard]] std::span<Observer* const> statements() const { return statements_; }
  [[nodiscard]] std::span<Observer* const> instructions(std::uint32_t instruction) const {
    return instructions_[instruction];
  }
  [[nodiscard]] std::span<Observer* const> accesses(std::uint32_t instruction) const { return accesses_[instruction]; }
  [[nodiscard]] std::span<Observer* const> all() const { return all_; }

  /// Joins the forks into the observers they came from.
  void joinInto(std::span<Observer* const> observers);

 private:
  std::vector<std::unique_ptr<Observer>> forks_;
  std::vector<Observer*> statements_;
  std::vector<std::vector<Observer*>> instructions_;  ///< per instruction; empty: no observer wants any
  std::vector<std::vector<Observer*>> accesses_;      ///< per instruction
  std::vector<Observer*> all_;
};

}  // namespace haloscope::simt
