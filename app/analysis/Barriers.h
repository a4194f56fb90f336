#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "analysis/Finding.h"
#include "program/Launch.h"
#include "simt/Executor.h"
#include "simt/Observer.h"

namespace haloscope::analysis {

/// Barriers that do not bring the threads of a block together: one that only some lanes of a warp reach, and two at
/// which warps of one block wait at the same time. Threads that have left the kernel are not waited for.
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

  /// One for each barrier that is missed, and for each two that are taken for one another; in the order of the text.
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
  void note(const Meeting& meeting);

  const Program& program_;
  const Launch& launch_;
  std::vector<Meeting> meetings_;
  std::uint32_t firstBarrier_ = kNone;  ///< reached in this interval, by the first warp
  std::uint64_t firstThread_ = 0;
};

/// A run that stopped at an endless loop, as a finding; nothing for other outcomes.
[[nodiscard]] std::optional<Finding> endlessFinding(const simt::ExecuteResult& result, const Launch& launch);

}  // namespace haloscope::analysis
