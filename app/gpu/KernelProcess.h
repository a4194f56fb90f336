#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gpu/KernelJob.h"

namespace haloscope::gpu {

/// Bytes that two processes see.
class SharedMemory {
 public:
  /// Of its own. Throws std::system_error.
  explicit SharedMemory(std::size_t bytes);
  /// What another process made, as an open file, which stays open.
  static SharedMemory of(int file);
  SharedMemory(SharedMemory&& other) noexcept;
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  ~SharedMemory();

  [[nodiscard]] int file() const { return file_; }
  [[nodiscard]] std::span<std::byte> bytes() const { return {data_, size_}; }

 private:
  SharedMemory(int file, std::size_t bytes, bool owned);

  int file_ = -1;
  bool owned_ = true;
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

struct ProcessLimits {
  std::chrono::milliseconds start{20'000};  ///< to open the GPU and compile
  std::chrono::milliseconds run{1'500};     ///< for what should take milliseconds
};

/// A kernel that was not cleared for the GPU, on the GPU in a child process. A kernel that faults ends CUDA in its
/// process for good, and one that never ends can be stopped in no other way than with its process; here that costs the
/// field nothing but the sweep. `program` is Haloscope's own executable, which is started again as `haloscope
/// kernel-process`; empty: this one.
class KernelProcess {
 public:
  /// The program that is running now.
  static std::filesystem::path thisProgram();

  /// Starts the process and waits until its kernel is compiled and loaded. Sweeps begin with `field` in both arrays.
  /// Throws Error, Unavailable, or std::runtime_error with what that process said. Takes up to a second or two.
  KernelProcess(const KernelJob& job, std::span<const std::byte> field, const std::filesystem::path& program = {},
                const ProcessLimits& limits = {});
  KernelProcess(const KernelProcess&) = delete;
  KernelProcess& operator=(const KernelProcess&) = delete;
  ~KernelProcess();

  [[nodiscard]] const std::string& gpuName() const { return gpuName_; }
  [[nodiscard]] bool alive() const { return child_ > 0; }
  /// The field is replaced, in both arrays. Only while alive and none is underway.
  void replaceField(std::span<const std::byte> field);
  /// Begins so many sweeps; begin(1) runs a job without sweeps. Only while alive and none is underway.
  void begin(int sweeps);
  [[nodiscard]] bool underway() const { return underway_; }
  /// True, once, when they have finished, or came to nothing: problem() tells. Never waits.
  bool finished();
  /// Waits for that, no longer than the limit.
  bool finish();
  /// Milliseconds of each sweep of the last begin().
  [[nodiscard]] const std::vector<double>& times() const { return times_; }
  /// What happened to the process, in a sentence; empty: nothing. It has ended then.
  [[nodiscard]] const std::string& problem() const { return problem_; }
  /// The newest field, seen by both. Not while sweeps are underway.
  [[nodiscard]] std::span<const std::byte> field() const { return field_.bytes(); }
  /// The job's launch, as the kernel left it. After finish(), of a job without sweeps.
  [[nodiscard]] Launch result() const;

 private:
  void start(const std::filesystem::path& program);
  void stop();
  /// Takes a reply if there is one within so long. False: not yet.
  bool receive(std::chrono::milliseconds wait);
  void fail(std::string problem);

  ProcessLimits limits_;
  SharedMemory job_, field_;
  pid_t child_ = -1;
  int socket_ = -1;
  bool underway_ = false, ready_ = false;
  std::chrono::steady_clock::time_point deadline_;
  std::string gpuName_, problem_;
  std::vector<double> times_;
};

/// The other side of it: serves the process that started this one until that ends. Returns the exit status. Leaves
/// the process by itself, without cleaning up, where a kernel would be waited for.
int serveKernelProcess();

/// Runs `job`, which has no sweeps, in a child process, and gives its launch as the kernel left it. Throws as
/// KernelProcess, and std::runtime_error with what became of the kernel.
[[nodiscard]] Launch runInChildProcess(const KernelJob& job, const std::filesystem::path& program = {},
                                       const ProcessLimits& limits = {});

}  // namespace haloscope::gpu
