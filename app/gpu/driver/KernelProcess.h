#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "driver/KernelJob.h"
#include "driver/KernelMessages.h"
#include "process/ChildProcess.h"
#include "process/SharedMemory.h"

namespace haloscope::gpu {

struct ProcessLimits {
  std::chrono::milliseconds start{20'000};  ///< to open the GPU and compile
  std::chrono::milliseconds run{1'500};     ///< for work that should take milliseconds
};

/// A kernel that was not cleared for the GPU, run on it by a child process. A fault makes CUDA unusable in its process
/// for good, and a kernel that never ends can only be stopped by ending its process; run here, it costs no more than
/// its sweep. `program` is Haloscope's executable, which is started as `haloscope kernel-process`; empty: the running
/// one.
class KernelProcess {
 public:
  /// Starts the process and waits until its kernel is compiled and loaded. Sweeps begin with `field` in both arrays.
  /// Throws Error, Unavailable, or std::runtime_error with that process's message. Takes up to two seconds.
  KernelProcess(const KernelJob& job, std::span<const std::byte> field, const std::filesystem::path& program = {},
                const ProcessLimits& limits = {});
  KernelProcess(const KernelProcess&) = delete;
  KernelProcess& operator=(const KernelProcess&) = delete;
  ~KernelProcess();

  [[nodiscard]] const std::string& gpuName() const { return gpuName_; }
  [[nodiscard]] bool alive() const { return child_.has_value(); }
  /// Replaces the field in both arrays. Only while alive and without running sweeps.
  void replaceField(std::span<const std::byte> field);
  /// Begins this many sweeps; begin(1) runs a job without sweeps. Only while alive and none is underway.
  void begin(int sweeps);
  [[nodiscard]] bool underway() const { return underway_; }
  /// True, once, when they have finished or failed (see problem()). Never waits.
  bool finished();
  /// Waits for that, at most for the limit.
  bool finish();
  /// Milliseconds of each sweep of the last begin().
  [[nodiscard]] const std::vector<double>& times() const { return times_; }
  /// Why the process ended, one sentence; empty while it is alive.
  [[nodiscard]] const std::string& problem() const { return problem_; }
  /// The newest field, in memory shared with the process. Not while sweeps are underway.
  [[nodiscard]] std::span<const std::byte> field() const { return field_.bytes(); }
  /// The job's launch after the kernel ran. After finish(), for a job without sweeps.
  [[nodiscard]] Launch result() const;

 private:
  void start(const std::filesystem::path& program);
  void stop();
  void send(const KernelRequest& request) const;
  /// Handles a reply if one arrives within `wait`, or the end of the process. False: not yet.
  bool receive(std::chrono::milliseconds wait);
  void accept(const KernelReply& reply);
  void fail(std::string problem);

  ProcessLimits limits_;
  std::vector<std::byte> job_;  ///< as encoded: the child process may write to the shared copy
  process::SharedMemory sharedJob_, arrays_, field_;
  std::optional<process::ChildProcess> child_;
  int socket_ = -1;
  bool underway_ = false, ready_ = false;
  std::chrono::steady_clock::time_point deadline_;
  std::string gpuName_, problem_;
  std::vector<double> times_;
};

/// The child process's side: serves the process that started this one until that ends. Returns the exit status. Where
/// cleaning up would wait for a kernel, it ends the process at once instead of returning.
int serveKernelProcess();

/// Runs `job`, which has no sweeps, in a child process, and returns its launch as the kernel left it. Throws as
/// KernelProcess does, and std::runtime_error if the kernel fails.
[[nodiscard]] Launch runInChildProcess(const KernelJob& job, const std::filesystem::path& program = {},
                                       const ProcessLimits& limits = {});

}  // namespace haloscope::gpu
