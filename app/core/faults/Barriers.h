#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "faults/Finding.h"
#include "program/Launch.h"
#include "simt/Executor.h"
#include "simt/Observer.h"

namespace haloscope::faults {

/// Barriers that do not bring the threads of a block together: one that only some lanes of a warp reach, two at which
/// warps of one block wait at the same time, and one at which threads wait when others have left the kernel. A GPU
/// does not wait for threads that have left (from compute capability 7.0: CUDA C++ Programming Guide,
/// "Synchronization Functions" and "Independent Thread Scheduling"), and neither does the emulator; but
/// __syncthreads() is allowed in conditional code only if the condition is the same for the whole block. An early
/// return is therefore a finding of its own kind, and no fault.
class Barriers final : public simt::Observer {
 public:
  Barriers(const Program& program, const Launch& launch) : program_(program), launch_(launch) {}

  [[nodiscard]] Wants wants() const override { return {}; }
  [[nodiscard]] std::unique_ptr<Observer> fork() const override {
    return std::make_unique<Barriers>(program_, launch_);
  }
  void join(Observer& worker) override;
  void blockBegins(const Dim3& block, std::uint64_t blockLinear) override;
  void barrierReached(const simt::WarpContext& context, std::uint32_t instruction, LaneMask expected) override;
  void barrierReleased(const Dim3& block, std::uint32_t interval) override;
  void threadsLeave(const simt::WarpContext& context, std::uint32_t instruction) override;

  /// One for each barrier that lanes of a warp miss, for each two that are taken for one another, and for each place at
  /// which threads leave too early together with the barrier at which that shows first; in the order of the text.
  [[nodiscard]] std::vector<Finding> findings() const;

 private:
  struct Meeting {
    std::uint32_t arrivesAt = 0;    ///< Barrier instruction
    std::uint32_t otherAt = kNone;  ///< the barrier at which the other thread waits; kNone: it waits at none
    std::uint64_t occurrences = 0;
    std::uint64_t block = 0;
    std::uint32_t interval = 0;
    std::uint64_t arrives = 0;  ///< thread, linear in the block
    std::uint64_t absent = 0;
  };
  /// Threads that have left the kernel when others of their block wait at a barrier.
  struct Absence {
    std::uint32_t barrier = 0;
    std::uint32_t leftAt = 0;       ///< Return or End instruction
    std::uint64_t occurrences = 0;  ///< threads, of all blocks
    std::uint64_t block = 0;        ///< the first block of which this is true
    std::uint32_t interval = 0;
    std::uint64_t waits = 0;            ///< thread, linear in the block
    std::vector<std::uint64_t> absent;  ///< threads, ascending
  };
  struct Leaving {
    std::uint32_t instruction = 0;
    std::uint32_t warp = 0;
    LaneMask lanes = 0;
  };
  void note(const Meeting& meeting);
  void note(const Absence& absence);
  void noteAbsences(std::uint32_t interval);
  [[nodiscard]] Finding findingOf(const Meeting& meeting) const;
  [[nodiscard]] Finding findingOf(const Absence& absence) const;

  const Program& program_;
  const Launch& launch_;
  std::vector<Meeting> meetings_;
  std::vector<Absence> absences_;
  std::uint64_t block_ = 0;
  std::vector<Leaving> left_;           ///< in this block, as far as no barrier has missed them yet
  bool disordered_ = false;             ///< the block's warps have met at different barriers: lateness means nothing
  std::uint32_t firstBarrier_ = kNone;  ///< reached in this interval, by the first warp
  std::uint64_t firstThread_ = 0;
};

/// A run that stopped at an endless loop or a barrier of the grid, as a finding; nothing for other outcomes.
[[nodiscard]] std::optional<Finding> stoppedFinding(const simt::ExecuteResult& result, const Launch& launch);

}  // namespace haloscope::faults
