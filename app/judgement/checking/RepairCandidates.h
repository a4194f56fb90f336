#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "faults/Finding.h"
#include "program/Launch.h"
#include "program/Program.h"

namespace haloscope::checking {

/// A small change of a kernel that may mend it.
struct RepairCandidate {
  /// One operand or operation of the code, and what to put in its place.
  struct Change {
    std::uint32_t instruction = 0;
    std::function<void(Program&, Instruction&)> apply;
  };
  /// What stands in the text, and what is to stand there.
  struct Wording {
    std::string now, instead;
  };

  std::vector<Change> changes;
  std::string words;  ///< "with < instead of <= at line 31"
  SourceRange where;  ///< what is changed
  std::optional<Wording> wording{};

  [[nodiscard]] Program appliedTo(const Program& program) const;
  /// The same in the text: one place after the other that can be meant, or all of them. Empty: it is not that simple.
  [[nodiscard]] std::vector<std::vector<faults::TextEdit>> editsOf(const std::string& text,
                                                                   const Program& program) const;
};

/// Those that are tried: a comparison that is off by one, an index of thread or block along another axis, an integer
/// that is one too large or too small, one argument for another, a sum for a difference, or that the other way round,
/// two variables exchanged.
[[nodiscard]] std::vector<RepairCandidate> repairCandidates(const Program& program, const Launch& launch);

}  // namespace haloscope::checking
