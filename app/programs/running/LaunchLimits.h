#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "running/ProgramRun.h"

namespace haloscope::running {

/// What a GPU can launch: of one block, one grid, and of blocks that must be resident together.
class LaunchLimits {
 public:
  explicit LaunchLimits(const RunDevice& device) : device_(device) {}

  /// cudaFuncAttributeMaxDynamicSharedMemorySize of a kernel; false if the GPU has less.
  bool raiseDynamicShared(const std::string& symbol, std::int64_t bytes);
  /// Shared memory that a block of a kernel can have.
  [[nodiscard]] std::int64_t sharedBytesOf(const std::string& symbol) const;

  /// Why nothing is launched, a sentence; empty if the launch is possible.
  [[nodiscard]] std::string beyondLimit(const ProgramLaunch& launch) const;
  /// cudaFuncAttributeNonPortableClusterSizeAllowed, and how many blocks a cluster of the kernel can have.
  void allowLargeClusters(const std::string& symbol, bool allowed);
  [[nodiscard]] std::uint64_t clusterBlocksOf(const std::string& symbol) const;
  /// Why the grid cannot be divided into clusters; empty if it can.
  [[nodiscard]] static std::string beyondClusters(const ProgramLaunch& launch);
  /// Why the blocks of a cooperative launch cannot be resident together; empty if they can.
  [[nodiscard]] std::string tooManyTogether(const ProgramLaunch& launch) const;
  /// By threads, blocks and shared memory; the registers that a compiler would use are not known.
  [[nodiscard]] std::int64_t blocksPerMultiprocessor(std::int64_t threads, std::int64_t shared) const;

 private:
  [[nodiscard]] std::int64_t property(const char* name, std::int64_t otherwise) const;

  const RunDevice& device_;
  std::set<std::string> largeClusters_;                ///< kernels that may have them
  std::map<std::string, std::int64_t> dynamicShared_;  ///< by the symbol of a kernel
};

}  // namespace haloscope::running
