#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "host/HostMessages.h"
#include "host/HostProgram.h"
#include "running/ComparedCalls.h"
#include "running/CudaErrors.h"
#include "running/DeviceMemory.h"
#include "running/GridCoverage.h"
#include "running/HostFindings.h"
#include "running/KernelTexts.h"
#include "running/LaunchLimits.h"
#include "running/LaunchSequence.h"
#include "running/ProgramRun.h"
#include "running/ResultsLeftBehind.h"
#include "running/UnorderedUses.h"
#include "running/UnsetConstants.h"

namespace haloscope::running {

/// What the program launches, and the error that a kernel leaves for every call after it. A launch is a ProgramEvent,
/// as of Transfers, and one of ProgramRun::launches.
class LaunchCalls {
 public:
  LaunchCalls(const host::HostProgram& program, const RunOptions& options, bool survey, DeviceMemory& memory,
              HostFindings& findings, ComparedCalls& compared, ProgramRun& result);

  /// Why the program may launch no more, a sentence; empty: it may.
  [[nodiscard]] std::string beyondBudget();
  /// A launch whose arguments the host has yet to send for execute(). Null: it fails with the error of `event`.
  const LaunchedKernel* begin(const host::LaunchCall& call, ProgramEvent& event);
  /// Executes the launch that has begun, or keeps it as ProgramRun::kept. `arguments`: one after the other.
  void execute(const LaunchedKernel& kernel, std::span<const std::byte> arguments);

  /// The cudaError_t that every call returns once a kernel has failed; kSuccess: none has.
  [[nodiscard]] int stickyError() const { return stickyError_; }
  /// The program has asked for the last error.
  void errorAskedFor() { unchecked_ = {}; }
  /// It has waited for its kernels.
  void synchronized();

  /// Returns the error of the call.
  int setAttribute(const host::SetKernelAttribute& call);
  /// Of a kernel, as cudaFuncGetAttributes() and the occupancy functions ask for it.
  [[nodiscard]] std::uint64_t property(const host::KernelProperty& call);

  /// Time that launches have taken here.
  [[nodiscard]] std::chrono::steady_clock::duration time() const { return time_; }
  /// A cudaEvent_t is recorded after the launches so far.
  void record(std::uint64_t event);
  /// Predicted nanoseconds between two events; none if one was not recorded.
  [[nodiscard]] std::optional<double> between(std::uint64_t start, std::uint64_t end) const;
  [[nodiscard]] ResultsLeftBehind& leftBehind() { return leftBehind_; }
  /// The GPU that calls from now on are for.
  void useDevice(std::uint32_t device) {
    device_ = device;
    unordered_.useDevice(device);
  }
  [[nodiscard]] std::uint32_t device() const { return device_; }
  /// Its kernels may access the memory of another one.
  void enablePeer(std::uint32_t other) { peers_.emplace(device_, other); }
  [[nodiscard]] UnorderedUses& unordered() { return unordered_; }
  [[nodiscard]] UnsetConstants& constants() { return constants_; }
  [[nodiscard]] const GridCoverage& coverage() const { return coverage_; }

  /// Launches that failed with nothing to check them, and kernels that could not be read.
  void findUnchecked();

 private:
  void findOtherDevices(const ProgramLaunch& launch, const BoundLaunch& bound);
  void executeOrKeep(ProgramLaunch& launch, BoundLaunch& bound);
  const LaunchedKernel* refuse(ProgramLaunch& launch, ProgramEvent& event, int error, std::string problem);

  const RunOptions& options_;
  const bool survey_;
  const std::chrono::milliseconds most_;  ///< time for all launches
  DeviceMemory& memory_;
  HostFindings& findings_;
  ComparedCalls& compared_;
  ProgramRun& result_;
  KernelTexts kernels_;
  LaunchLimits limits_;
  LaunchSequence sequence_;
  ResultsLeftBehind leftBehind_;
  UnorderedUses unordered_;
  std::uint32_t device_ = 0;
  std::set<std::pair<std::uint32_t, std::uint32_t>> peers_;  ///< of GPUs: the first may access the other's memory
  std::uint64_t stream_ = 0;                                 ///< of the launch that has begun
  UnsetConstants constants_;
  GridCoverage coverage_;
  int stickyError_ = kSuccess;
  host::HostPlace unchecked_;  ///< of a failed launch that nothing has asked about
  std::chrono::steady_clock::duration time_{0};
  double deviceNanoseconds_ = 0;  ///< predicted time of the launches so far
  std::map<std::uint64_t, double> recorded_;
};

}  // namespace haloscope::running
