#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "program/BlockLog.h"
#include "program/Program.h"
#include "recording/LogStream.h"

namespace haloscope::recording {

/// A variable that a unit assigns.
struct LogAssignment {
  VariableId variable = kNone;
  std::uint32_t instruction = kNone;  ///< that writes it; kNone: unknown
};

/// Which of a program's variables the entries of a log assign.
class LogAssignments {
 public:
  /// `placed` as in LoggedBlock.
  LogAssignments(const Program& placed, const std::vector<LogSite>& sites, const ProgramPlaces& places);

  /// Those of an entry of a unit: of a struct its scalars, in order. Throws LogError.
  const std::vector<LogAssignment>& of(std::uint32_t begin, const LogEntry& entry, const LogSite& site);

 private:
  [[nodiscard]] std::uint32_t writerOf(VariableId id, std::uint32_t begin, const LogSite& site) const;

  const Program& placed_;
  const ProgramPlaces& places_;
  std::vector<VariableId> variableOf_;  ///< per register
  /// Of each site, what it was last: the same for all lanes of a step.
  std::vector<std::pair<std::pair<std::uint32_t, std::uint32_t>, std::vector<LogAssignment>>> known_;
};

}  // namespace haloscope::recording
