#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "program/Launch.h"
#include "program/Program.h"
#include "simt/Observer.h"

namespace haloscope::analysis {

/// The work done by the threads of some blocks. A thread works if it stores into a global array, helps if it touches
/// any other memory (loads a halo cell, fills a tile), and is idle if it touches none: it only tests its index and
/// leaves.
struct WorkTally {
  std::uint64_t threads = 0;
  std::uint64_t working = 0, helping = 0, idle = 0;
  std::uint64_t warps = 0;
  std::uint64_t fullWarps = 0;     ///< all 32 lanes work
  std::uint64_t partialWarps = 0;  ///< some lanes work
  std::uint64_t helpingWarps = 0;  ///< no lane works, some help
  std::uint64_t idleWarps = 0;     ///< no lane touches memory: they only leave

  void add(const WorkTally& other);
  bool operator==(const WorkTally&) const = default;
};

/// Of one block.
struct BlockWork {
  std::uint64_t block = 0;  ///< linear in the grid
  std::uint32_t working = 0, helping = 0, idle = 0;

  bool operator==(const BlockWork&) const = default;
};

/// Distinguishes threads that produce something from those that only fill their block. Local memory does not count: a
/// thread's own variables are not work.
class ThreadWork final : public simt::Observer {
 public:
  explicit ThreadWork(const Dim3& blockExtent);

  [[nodiscard]] Wants wants() const override { return {.statements = false, .instructions = false, .accesses = true}; }
  [[nodiscard]] std::unique_ptr<Observer> fork() const override;
  void join(Observer& worker) override;
  void blockBegins(const Dim3& block, std::uint64_t blockLinear) override;
  void blockEnds(const Dim3& block, std::uint64_t blockLinear) override;
  void access(const simt::WarpContext& context, const simt::MemoryAccess& access) override;

  [[nodiscard]] const WorkTally& total() const { return total_; }
  /// Of the blocks that were executed, in the order of the grid.
  [[nodiscard]] std::vector<BlockWork> blocks() const;

 private:
  struct WarpLanes {
    LaneMask stored = 0, touched = 0;
  };
  std::uint32_t threads_;
  std::vector<WarpLanes> warps_;  ///< of the block that runs
  WorkTally total_;
  std::vector<BlockWork> blocks_;
};

}  // namespace haloscope::analysis
