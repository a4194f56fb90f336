#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "program/Launch.h"
#include "simt/DecodedProgram.h"
#include "simt/LaunchMemory.h"

namespace haloscope::simt {

/// The storage of one block: registers of its warps, shared memory, the threads' local arrays. A worker reuses one for
/// all its blocks, so that nothing is allocated while kernels run.
class BlockMemory {
 public:
  BlockMemory(const DecodedProgram& decoded, const Launch& launch, const LaunchMemory& launchMemory);

  /// Prepares for a block: sets blockIdx and arguments; fills shared memory, local arrays and variables with 0xFF, the
  /// pattern of uninitialised values (NaN in floating-point types).
  void beginBlock(const Dim3& block);

  [[nodiscard]] std::byte* warpRegisters(std::uint32_t warp) { return warpRegisters_.data() + warp * warpStride_; }
  [[nodiscard]] std::byte* sharedRegisters() { return sharedRegisters_.data(); }
  [[nodiscard]] std::size_t warpRegisterBytes() const { return warpStride_; }
  [[nodiscard]] std::size_t sharedRegisterBytes() const { return sharedRegisters_.size(); }
  [[nodiscard]] std::size_t localBytes() const { return local_.size(); }
  [[nodiscard]] std::byte* local(std::uint32_t warp) { return local_.data() + warp * localStride_; }
  /// Those of the program; then, of a launch with clusters whose blocks access each other's memory, all of them again
  /// for each rank: the shared ones as the block of that rank has them.
  [[nodiscard]] std::span<const ObjectView> objects() const { return objects_; }
  /// The blocks of the cluster, by rank, itself included.
  void meetCluster(std::span<const BlockMemory* const> blocks);

 private:
  /// Bytes aligned to a cache line for vector code.
  class AlignedBytes {
   public:
    explicit AlignedBytes(std::size_t bytes = 0) : lines_((bytes + sizeof(Line) - 1) / sizeof(Line)) {}
    [[nodiscard]] std::byte* data() { return lines_.empty() ? nullptr : lines_.front().bytes; }
    [[nodiscard]] std::size_t size() const { return lines_.size() * sizeof(Line); }

   private:
    struct alignas(64) Line {
      std::byte bytes[64];
    };
    std::vector<Line> lines_;
  };

  void addRanks(const Dim3& cluster);
  void fillOnce(const Launch& launch);
  [[nodiscard]] std::byte* at(RegisterId reg, std::uint32_t warp);

  const DecodedProgram& decoded_;
  std::uint32_t warps_;
  std::size_t warpStride_;
  std::size_t localStride_ = 0;
  std::vector<ObjectView> objects_;
  AlignedBytes warpRegisters_;
  AlignedBytes sharedRegisters_;
  AlignedBytes shared_;
  AlignedBytes local_;

  struct Argument {
    RegisterId reg;
    std::uint64_t bits;
  };
  std::vector<Argument> writtenArguments_;  ///< of parameters that the kernel modifies: reset for each block
  std::vector<std::pair<Builtin, RegisterId>> blockIndices_;
};

}  // namespace haloscope::simt
