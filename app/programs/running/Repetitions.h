#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "host/HostProgram.h"
#include "running/ProgramRun.h"

namespace haloscope::running {

/// What can be seen of a run.
struct Seen {
  ProgramEnd end = ProgramEnd::Failed;
  int status = 0;
  std::string output{};
  std::uint64_t leftOut = 0;
  bool operator==(const Seen&) const = default;
};
[[nodiscard]] Seen seenOf(const ProgramRun& run);

/// What a program copies, as bytes.
struct CopiedBytes {
  using Contents = std::vector<std::byte>;
  /// By the index of the event and the allocation that it comes from.
  std::map<std::pair<std::size_t, AllocationId>, Contents> toHost{};
  std::set<Contents> toDevice{};
  /// By the index of a copy of a whole array to the host, what other arrays of the device held that are as large; none
  /// if it is too much.
  std::map<std::pair<std::size_t, AllocationId>, Contents> beside{};
  bool whole = true;  ///< false: it is too much, and not all of it is here
};

/// Executes a program again, as it was executed, with something changed.
class Repetitions {
 public:
  /// Whether it is worth it: it takes a few seconds, and its arrays are not large.
  [[nodiscard]] static bool isQuick(const ProgramRun& run);

  static constexpr int kUsual = 48;
  /// `most`: runs of a program that takes next to no time.
  Repetitions(const ProgramRun& run, const host::HostProgram& program, const RunOptions& options, int most = kUsual);

  /// With these kernels from now on. One of them may not end: each run may take a few times what the program takes.
  void change(ChangedKernels kernels);

  [[nodiscard]] ProgramRun run(Repetition how);
  /// As it is, with its arrays gathered, and what it copies.
  [[nodiscard]] std::pair<ProgramRun, CopiedBytes> recorded();
  /// Whether it was executed as often as it may be, which depends on what it takes: not on what the machine does
  /// meanwhile.
  [[nodiscard]] bool isSpent() const { return left_ <= 0; }

 private:
  const host::HostProgram program_;
  RunOptions options_;
  ChangedKernels kernels_;
  std::uint64_t instructions_ = 0;  ///< warp instructions that the program takes
  int left_ = 0;
};

}  // namespace haloscope::running
