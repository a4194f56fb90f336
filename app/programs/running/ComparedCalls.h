#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "host/HostMessages.h"
#include "running/CoefficientFacts.h"
#include "running/Computation.h"
#include "running/HostFindings.h"
#include "running/LaunchBinding.h"
#include "running/OwnFunction.h"
#include "running/ProgramRun.h"
#include "running/Transfers.h"

namespace haloscope::running {

/// What is kept of a running program for the comparison with its own functions: the first launch of each kernel with
/// the same configuration and arrays, and the calls of its functions, up to a limit for all. When main() has returned,
/// some functions are called again, one after the other.
class ComparedCalls {
 public:
  /// `mostBytes`: of all that is kept, and then of all that is compared.
  ComparedCalls(bool wanted, std::uint64_t mostBytes, std::stop_token stop)
      : wanted_(wanted), mostBytes_(mostBytes), stop_(std::move(stop)) {}

  /// A launch that is about to be executed, `index` among ProgramRun::launches. None: it is not compared.
  [[nodiscard]] std::optional<ExecutedKernel> begin(std::size_t index, const BoundLaunch& bound);
  /// It was executed whole.
  void finish(std::optional<ExecutedKernel> compared, const ProgramLaunch& launch, const BoundLaunch& bound);
  /// The host got rows of an allocation.
  void copiedBack(AllocationId from, DeviceRows rows);
  /// Whether a call with so many bytes is kept. Throws InputError if none was asked for.
  [[nodiscard]] bool takes(std::uint64_t bytes) const;
  /// A function of the program has returned, with its blocks of memory as they were and as they are. Returns what is
  /// kept of its call, as the process claims it.
  OwnCall& returned(const host::FunctionCall& message, std::vector<std::vector<std::byte>> before,
                    std::vector<std::vector<std::byte>> after);

  /// main() has returned: the first call that is to be made again, if any. Throws InputError if that was not asked for.
  /// `unchanged`: see host::Returned.
  [[nodiscard]] std::optional<OwnFunctions::Request> ended(const std::vector<ProgramLaunch>& launches,
                                                           const std::vector<std::uint64_t>& unchanged);
  /// A call was made again, and left its blocks so: the next one, if any. Throws InputError if that was not asked for.
  [[nodiscard]] std::optional<OwnFunctions::Request> answered(std::vector<std::vector<std::byte>> blocks);
  /// Whether a function is being called again: the program itself has ended.
  [[nodiscard]] bool asking() const { return asking_; }
  /// Writes down at each launch what the comparison says.
  void conclude(std::vector<ProgramLaunch>& launches, HostFindings& findings) const;

 private:
  [[nodiscard]] std::optional<OwnFunctions::Request> next();
  void findUnchanged(const std::vector<std::uint64_t>& unchanged);
  void findAlike(const std::vector<ProgramLaunch>& launches);

  bool wanted_;
  std::uint64_t mostBytes_;
  std::stop_token stop_;
  std::vector<ExecutedKernel> executed_;
  std::vector<OwnCall> calls_;
  std::uint64_t keptBytes_ = 0;                            ///< of both, and of `copied_`
  std::map<AllocationId, std::string> lastWriter_;         ///< symbols of kernels
  std::map<std::string, std::vector<std::byte>> copied_;   ///< by symbol, what was copied last of what it wrote
  std::map<std::size_t, std::vector<std::string>> alike_;  ///< by launch, kernels that made the same of the same data
  std::vector<CoefficientFact> facts_;
  std::optional<OwnFunctions> functions_;
  bool asking_ = false;
};

}  // namespace haloscope::running
