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
  /// Forks the observers, in their order.
  explicit Notifier(std::span<Observer* const> observers);

  /// What at least one of the observers wants.
  [[nodiscard]] static Observer::Wants wants(std::span<Observer* const> observers);

  /// Observers that want statements, instructions, accesses; and all of them, for what is rare.
  [[nodiscard]] std::span<Observer* const> statements() const { return statements_; }
  [[nodiscard]] std::span<Observer* const> instructions() const { return instructions_; }
  [[nodiscard]] std::span<Observer* const> accesses() const { return accesses_; }
  [[nodiscard]] std::span<Observer* const> all() const { return all_; }

  /// Joins the forks into the observers they came from.
  void joinInto(std::span<Observer* const> observers);

 private:
  std::vector<std::unique_ptr<Observer>> forks_;
  std::vector<Observer*> statements_;
  std::vector<Observer*> instructions_;
  std::vector<Observer*> accesses_;
  std::vector<Observer*> all_;
};

}  // namespace haloscope::simt
