#pragma once

#include <cstdint>
#include <vector>

#include "program/Launch.h"
#include "provenance/CopyOrigins.h"
#include "simt/Observer.h"

namespace haloscope::provenance {

/// Where the values in the shared memory of the blocks of a cluster came from, by copying alone. Hears what an observer
/// of instructions and accesses hears of all blocks of one cluster.
class ClusterOrigins {
 public:
  ClusterOrigins(const Program& program, const Launch& launch);

  void instruction(const simt::WarpContext& context, std::uint32_t at);
  void access(const simt::WarpContext& context, const simt::MemoryAccess& access);
  void clusterAccess(const simt::WarpContext& context, const simt::MemoryAccess& access, std::uint32_t rank);

  /// Of an element in the shared memory of the block with this rank.
  [[nodiscard]] recording::Origin of(std::uint32_t rank, ObjectId object, std::int64_t element) const {
    const std::vector<Origin>& cells = blocks_[rank].cells[object];
    const auto index = static_cast<std::size_t>(element);  // of bytes in an array of floats, say, there are more
    return index < cells.size() ? cells[index] : Origin{};
  }

 private:
  using Origin = recording::Origin;
  struct Block {
    CopyOrigins origins;
    std::vector<std::vector<Origin>> cells;  ///< per object: of shared arrays, and of local ones thread by thread
  };
  void accessOf(const simt::WarpContext& context, const simt::MemoryAccess& access, std::uint32_t rank);

  const Program& program_;
  std::vector<Block> blocks_;  ///< by rank
};

}  // namespace haloscope::provenance
