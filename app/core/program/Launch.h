#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "program/Program.h"

namespace haloscope {

struct Dim3 {
  std::uint32_t x = 1;
  std::uint32_t y = 1;
  std::uint32_t z = 1;

  [[nodiscard]] std::uint64_t count() const { return std::uint64_t{x} * y * z; }
  /// By its number: 0 is x.
  [[nodiscard]] constexpr std::uint32_t component(std::size_t axis) const { return axis == 0 ? x : axis == 1 ? y : z; }
  bool operator==(const Dim3&) const = default;
};

/// Index of a block in its grid, or a thread in its block; x fastest, as CUDA numbers threads into warps.
[[nodiscard]] constexpr std::uint64_t linear(const Dim3& at, const Dim3& extent) {
  return (std::uint64_t{at.z} * extent.y + at.y) * extent.x + at.x;
}
[[nodiscard]] constexpr Dim3 unlinear(std::uint64_t index, const Dim3& extent) {
  return {static_cast<std::uint32_t>(index % extent.x), static_cast<std::uint32_t>(index / extent.x % extent.y),
          static_cast<std::uint32_t>(index / extent.x / extent.y)};
}
/// An index as text: "(2,0,1)".
[[nodiscard]] std::string text(const Dim3& index);
/// Sizes as text: "8×4×1".
[[nodiscard]] std::string extentText(const Dim3& extent);

/// Limits of a CUDA block that every GPU shares (compute capability 7.0 and later, without opting in to more).
inline constexpr std::uint64_t kMaxThreadsPerBlock = 1024;
inline constexpr std::uint32_t kMaxBlockZ = 64;
/// More than the blocks that any GPU can hold at once.
inline constexpr std::uint64_t kMaxResidentBlocks = 8192;
inline constexpr std::int64_t kMaxSharedBytesPerBlock = 48 * 1024;
/// Where the host asks for more: of the GPUs that have most (compute capability 9.0). The driver of another refuses.
inline constexpr std::int64_t kMaxRaisedSharedBytesPerBlock = 227 * 1024;

/// Blocks of a cluster at most: of every GPU that has clusters, and where the host allows what is not portable.
inline constexpr std::uint64_t kMaxClusterBlocks = 8;
inline constexpr std::uint64_t kMaxRaisedClusterBlocks = 16;

struct LaunchConfiguration {
  Dim3 grid{};
  Dim3 block{};
  std::int64_t dynamicSharedBytes = 0;
  std::int64_t sharedBytesLimit = kMaxSharedBytesPerBlock;  ///< more where the host asks for more

  /// Its blocks may meet at a barrier of the grid: all are resident at once. A program's own launch says so.
  bool cooperative = true;

  /// Blocks of a cluster, as the launch asks for it; {0, 0, 0}: as the kernel does. See clusterOf().
  Dim3 cluster{0, 0, 0};
  std::uint64_t clusterLimit = kMaxClusterBlocks;  ///< blocks of a cluster; more where the host asks for more

  [[nodiscard]] std::uint32_t threadsPerBlock() const { return static_cast<std::uint32_t>(block.count()); }
  [[nodiscard]] std::uint32_t warpsPerBlock() const { return (threadsPerBlock() + kWarpSize - 1) / kWarpSize; }
  bool operator==(const LaunchConfiguration&) const = default;
};

/// The blocks that form a cluster, by the kernel's __cluster_dims__ or else by the launch; {1, 1, 1}: each is alone.
[[nodiscard]] Dim3 clusterOf(const Program& program, const LaunchConfiguration& configuration);
/// Whether its blocks run by clusters: the kernel or the launch asks for that, or the kernel uses it.
[[nodiscard]] bool inClusters(const Program& program, const LaunchConfiguration& configuration);
/// Why a grid cannot be divided into clusters; empty if it can.
[[nodiscard]] std::string clusterProblem(const Program& program, const LaunchConfiguration& configuration);
/// The rank of a block within its cluster, x fastest, and the block of a rank in the cluster of another block.
[[nodiscard]] constexpr std::uint32_t rankInCluster(const Dim3& block, const Dim3& cluster) {
  return ((block.z % cluster.z) * cluster.y + block.y % cluster.y) * cluster.x + block.x % cluster.x;
}
[[nodiscard]] constexpr Dim3 blockOfRank(const Dim3& block, const Dim3& cluster, std::uint32_t rank) {
  return {block.x - block.x % cluster.x + rank % cluster.x,
          block.y - block.y % cluster.y + rank / cluster.x % cluster.y,
          block.z - block.z % cluster.z + rank / cluster.x / cluster.y};
}

/// The bytes of one global or constant array, and its shape (slowest axis first; {} is a scalar).
struct ArrayData {
  ValueType element = ValueType::F32;
  std::vector<std::int64_t> extents;
  std::vector<std::byte> bytes{};

  [[nodiscard]] std::int64_t elementCount() const {
    std::int64_t n = 1;
    for (const std::int64_t e : extents) { n *= e; }
    return n;
  }
};

/// Bytes from the beginning of an array; half open.
struct ByteRange {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

/// Everything that a launch needs besides the program: sizes, scalar arguments, and the arrays behind its pointers.
struct Launch {
  LaunchConfiguration configuration;
  /// One entry per Program::parameters: the bits of a scalar argument in the low bytes; ignored for pointers.
  std::vector<std::uint64_t> arguments;
  /// One entry per Program::objects: filled for Global and Constant objects, empty for Shared and Local ones.
  std::vector<ArrayData> arrays;
  /// Where pointer arguments point, as bytes from the beginning of their arrays; none: a null pointer. One entry per
  /// Program::parameters, or empty: each to the beginning. With entries, an array may be empty: nothing can access it.
  std::vector<std::optional<std::int64_t>> offsets{};
  /// Where around an array of global memory a GPU may have memory, of this array or another; an access elsewhere ends
  /// the program. One entry per Program::objects, none for those of other memory; or empty: nothing is known.
  std::vector<std::optional<ByteRange>> mapped{};
};

}  // namespace haloscope
