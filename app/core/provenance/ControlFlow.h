#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "program/Program.h"

namespace haloscope::provenance {

/// Where one thread can go from each instruction: the structured code of a warp, read as the graph that a compiler
/// would draw.
class ControlFlow {
 public:
  explicit ControlFlow(const Program& program);

  /// The instructions that can come next: two after a condition, none after End. kNone fills the places left over.
  [[nodiscard]] const std::array<std::uint32_t, 2>& successors(std::uint32_t instruction) const {
    return successors_[instruction];
  }

  /// For each barrier interval a thread can be in, the instructions it can execute there, ascending. The first begins
  /// with the kernel; each other one behind one of the barriers of the text.
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> intervals() const;

 private:
  /// What a thread can execute from here to the next barriers; `seen` is false everywhere, before and after.
  [[nodiscard]] std::vector<std::uint32_t> reachable(std::uint32_t from, std::vector<bool>& seen) const;

  const Program& program_;
  std::vector<std::array<std::uint32_t, 2>> successors_;
};

}  // namespace haloscope::provenance
