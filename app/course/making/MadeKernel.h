#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "catalogue/Catalogue.h"
#include "checking/Check.h"
#include "inputs/ChosenData.h"
#include "judging/CheckedKernel.h"
#include "making/MakeTask.h"
#include "making/PlaceOnClimb.h"

/// What becomes of a kernel that was written for a task. The judge is its execution; then come the goals.
namespace haloscope::making {

/// The first that applies.
enum class Outcome : std::uint8_t {
  NothingWritten,  ///< an empty text, or a kernel that does what the skeleton does
  NotRead,         ///< it does not compile, includes another file, or has another signature
  DoesNotEnd,
  Faults,         ///< races, accesses out of bounds and the like
  Wrong,          ///< free of faults, but with another result than the task asks for
  OnlyTheseData,  ///< right on one set of data and not on another
  OnlyThisSize,   ///< right at the task's sizes and not at others
  GoalsMissed,    ///< right, but a goal is not reached
  Solved,
};

/// "nothing-written", …: for scripts.
[[nodiscard]] const char* name(Outcome outcome);
/// Whether it computes what the task asks for.
[[nodiscard]] constexpr bool isRight(Outcome outcome) { return outcome >= Outcome::GoalsMissed; }

/// A goal, and what the solution comes to.
struct ReachedGoal {
  Goal goal;
  double value = 0, bound = 0;
  std::string problem{};  ///< why it could not be counted, a sentence; then it is not reached
  bool reached = false;

  /// "2.37037 ≤ 2.4", "2, not ≤ 1.2".
  [[nodiscard]] std::string text() const;
};

/// A solution, judged.
struct MadeKernel {
  Outcome outcome = Outcome::NothingWritten;
  std::string sentence;              ///< the one thing to say
  SourceRange where{};               ///< of the finding that it is about; invalid: of none
  std::string hint{};                ///< for what is wrong, or for the first goal that is missed; empty: there is none
  KernelFile file;                   ///< the text, with the launch and the definition of the task
  Bindings bindings{};               ///< at which `report` was made
  inputs::ChosenData data{};         ///< ... and on which data, if not on those of every check
  checking::CheckReport report{};    ///< of the check that decided
  std::vector<ReachedGoal> goals{};  ///< of a right one, in the task's order
  std::string sameAs{};              ///< the catalogue's variant that is the same, instruction for instruction
  std::optional<PlaceOnClimb> place{};  ///< of a right one

  /// As a row of a check of this file: with the findings, or with the sentence where there is no report.
  [[nodiscard]] judging::CheckedKernel asChecked(const std::string& path) const;
  /// "Instruction for instruction it is the catalogue's stencil/tiled."; empty: it is not.
  [[nodiscard]] std::string sameAsText() const;
};

/// Judges the text of a solution: its code runs under the header of the task, at the task's default sizes on two sets
/// of data, and at other sizes. Whatever is wrong with the text is an outcome. Throws experiment::Cancelled when asked
/// to stop, and MissingError where there is no compiler process.
[[nodiscard]] MadeKernel judge(const MakeTask& task, const std::string& text, const Catalogue& catalogue,
                               const std::stop_token& stop = {});

}  // namespace haloscope::making
