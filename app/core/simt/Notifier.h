#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "simt/Observer.h"

namespace haloscope::simt {

/// One worker's forks of the observers, grouped by the notifications they request.
class Notifier {
 public:
  /// Forks the observers, in order, for a program with this many instructions.
  Notifier(std::span<Observer* const> observers, std::size_t instructions);

  /// The union of what the observers request.
  [[nodiscard]] static Observer::Wants wants(std::span<Observer* const> observers);

  /// Per instruction: whether its accesses are observed. Empty if none are.
  [[nodiscard]] static std::vector<bool> observedAccesses(std::span<Observer* const> observers,
                                                          std::size_t instructions);

  /// Whether any observer wants instructions.
  [[nodiscard]] bool wantsInstructions() const { return !instructions_.empty(); }
  /// Observers of statements, of one instruction, and of its accesses; all observers, for rare events.
  [[nodiscard]] std::span<Observer* const> statements() const { return statements_; }
  [[nodiscard]] std::span<Observer* const> instructions(std::uint32_t instruction) const {
    return instructions_[instruction];
  }
  [[nodiscard]] std::span<Observer* const> accesses(std::uint32_t instruction) const { return accesses_[instruction]; }
  [[nodiscard]] std::span<Observer* const> all() const { return all_; }

  /// Introduces the forks of the ranks of a cluster, in their order, to each other.
  static void meetCluster(std::span<Notifier* const> ranks);
  /// Joins the forks into their observers.
  void joinInto(std::span<Observer* const> observers);

 private:
  std::vector<std::unique_ptr<Observer>> forks_;
  std::vector<Observer*> statements_;
  std::vector<std::vector<Observer*>> instructions_;  ///< per instruction; empty: no observer wants any
  std::vector<std::vector<Observer*>> accesses_;      ///< per instruction
  std::vector<Observer*> all_;
};

}  // namespace haloscope::simt
