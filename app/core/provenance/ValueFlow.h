#pragma once

#include <cstdint>
#include <vector>

#include "program/Program.h"

namespace haloscope::provenance {

/// Where a value goes and where it comes from, found from the code alone: registers only, not memory. Every write to a
/// variable is taken to reach every read of it; a temporary is read between its definition and the next one.
class ValueFlow {
 public:
  explicit ValueFlow(const Program& program) : program_(program) {}

  /// Instructions that read what the given one writes.
  [[nodiscard]] std::vector<std::uint32_t> uses(std::uint32_t instruction) const;
  /// Instructions whose result `reg` may hold where the given instruction reads it.
  [[nodiscard]] std::vector<std::uint32_t> definitions(RegisterId reg, std::uint32_t instruction) const;
  /// Follows values from these instructions to those that read them: `visit(from, at)` is called where `at` reads what
  /// `from` writes, and returns whether the result of `at` is to be followed, too. Each is followed once.
  template <typename Visit>
  void follow(std::vector<std::uint32_t> starts, const Visit& visit) const {
    std::vector<bool> seen(program_.code.size());
    while (!starts.empty()) {
      const std::uint32_t from = starts.back();
      starts.pop_back();
      if (seen[from]) { continue; }
      seen[from] = true;
      for (const std::uint32_t at : uses(from)) {
        if (visit(from, at)) { starts.push_back(at); }
      }
    }
  }
  /// The variable that lives in a register, or nullptr.
  [[nodiscard]] const Variable* variable(RegisterId reg) const;

 private:
  const Program& program_;
};

/// Whether the instruction reads this register.
[[nodiscard]] bool reads(const Instruction& instruction, RegisterId reg);

}  // namespace haloscope::provenance
