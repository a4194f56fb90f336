#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "host/HostProgram.h"
#include "program/Launch.h"
#include "running/DeviceMemory.h"
#include "running/KernelTexts.h"
#include "running/LinearResponse.h"

namespace haloscope::running {

struct ProgramRun;
struct RunOptions;

/// How a result differs from what the program compares it with.
struct RejectedResult {
  std::int64_t points = 0, differing = 0;  ///< all; and those that differ by more than rounding
  std::int64_t first = 0;                  ///< of these
  double found = 0, expected = 0;          ///< there
};

/// What a program accepts in place of a result.
struct AcceptedResult {
  std::size_t event = 0;  ///< index of the copy
  AllocationId from = 0;
  ArrayData array;
  ArrayData found;  ///< the result itself
};

/// What a program says of the results of kernels by a comparison of its own, as most do that have a reference on the
/// host.
struct OwnCheck {
  bool passed = false;
  /// The program ends with another status, or in another way, than with what it accepts, or with what it does not.
  /// What it only prints may be about a difference that is meant to be: from an exact solution, say, or an earlier
  /// step.
  bool ends = false;
  /// Whether what it accepts is shown to be what the kernel is meant to compute.
  Kinship kinship = Kinship::Unknown;
  /// It ends with success for this result, and with failure for what is expected: the result is one to be rejected.
  bool isMeant = false;
  /// What is expected is in no array: the program computes it for each element that it compares.
  bool byElement = false;
  std::string line{};               ///< that it prints for these results alone; empty: it shows in another way
  std::set<std::string> kernels{};  ///< symbols of those whose results they are, or from which these come
  [[nodiscard]] bool fails() const { return !passed && ends && !isMeant && kinship != Kinship::Other; }
  std::optional<RejectedResult> how{};  ///< of one that does not pass; none: the program only counts what is wrong
  std::shared_ptr<const AcceptedResult> accepted{};  ///< with `how`
  /// Of such a one: the index of the copy, and another array of the device that holds what is accepted.
  std::optional<std::pair<std::size_t, AllocationId>> elsewhere{};
};

/// Asks a program for its comparisons by experiment: it is executed again, a limited number of times, with other
/// results copied to the host. It accepts a result if what it prints, or its status, is another one for each result in
/// which some values have changed places, or are averaged, for one of half the values, and for what the array held
/// before. It rejects a result if one of the host's
/// own arrays, which has never been on the device, is accepted in its place, or the values with which it compares the
/// elements one by one, if it ends with failure; or if it counts elements, one more for each that is changed. No word
/// of its output is read. None of a program that is not executed whole, or takes too long. Where the accepted result is
/// in another array of the device, the copy is a finding of the host half.
void findOwnChecks(ProgramRun& run, const host::HostProgram& program, const RunOptions& options);
/// The same of a program with other kernels in place of its own.
[[nodiscard]] std::vector<OwnCheck> ownChecksWith(const ChangedKernels& kernels, const ProgramRun& run,
                                                  const host::HostProgram& program, const RunOptions& options);

}  // namespace haloscope::running
