#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "program/Program.h"
#include "simt/Observer.h"

/// What the memory system makes of a warp's accesses: sectors, banks, broadcasts. Exact arithmetic on addresses, for
/// the rules of NVIDIA's GPUs since compute capability 5.0 (CUDA C++ Programming Guide, "Compute Capabilities"; CUDA
/// C++ Best Practices Guide, "Coalesced Access to Global Memory" and "Shared Memory and Memory Banks"). What these
/// leave open (wide accesses that share words, atomics) was read off an H200's counters, for 200 patterns of addresses.
namespace haloscope::analysis {

inline constexpr std::int64_t kSectorBytes = 32;  ///< what global memory is read and written in
inline constexpr std::int64_t kLineBytes = 128;   ///< a cache line: four sectors
inline constexpr int kBanks = 32;                 ///< of shared memory
inline constexpr std::int64_t kBankBytes = 4;     ///< a bank serves one such word a pass

/// Byte addresses of a warp's lanes, counted from the beginning of the array.
using LaneAddresses = std::array<std::int64_t, kWarpSize>;

/// What an access of a warp does, as far as its cost depends on it.
enum class RequestEffect : std::uint8_t {
  Load,
  Store,
  Atomic,      ///< on 32-bit integers, which shared memory updates itself
  AtomicLoop,  ///< the others, and compare-and-swap: in shared memory a loop that reads and tries to replace
};

[[nodiscard]] constexpr bool isAtomic(RequestEffect effect) {
  return effect == RequestEffect::Atomic || effect == RequestEffect::AtomicLoop;
}

/// A lane's part of a request.
struct LaneRequest {
  int bytes = 4;  ///< 16 for all of a float4
  RequestEffect effect = RequestEffect::Load;

  bool operator==(const LaneRequest&) const = default;
};

/// Of an access; for the parts of a vector, of the vector.
[[nodiscard]] LaneRequest laneRequest(const Instruction& access);

/// Whether an access is a request of its own. The members of a vector are one, for which the first of them stands. What
/// a texture fetch reads, or a bulk copy moves, is none of these memories' requests.
[[nodiscard]] constexpr bool beginsRequest(const Instruction& access) {
  return access.part.index == 0 && access.fetch == FetchPart::None && !access.bulk;
}

/// One request: what one instruction of one warp asks of a memory. Fields of other spaces are 0.
struct RequestShape {
  std::uint32_t lanes = 0;
  std::uint32_t sectors = 0;       ///< global: distinct 32-byte sectors that the lanes touch; an atomic takes a sector
                                   ///< once for each lane of those that update its busiest element
  std::uint32_t idealSectors = 0;  ///< global: as few as would hold the distinct elements if they lay side by side
  std::uint32_t lines = 0;         ///< global: distinct 128-byte lines
  std::uint32_t passes = 0;        ///< shared: one after another; constant: distinct addresses; 1 is the best
  std::uint32_t idealPasses = 0;   ///< shared: without conflicts; constant: 1
  std::uint32_t bankDegree = 0;    ///< shared: most different words that lie in one bank; for an atomic, most lanes
                                   ///< that update a word of one bank; 1: no conflict

  bool operator==(const RequestShape&) const = default;
};

/// The shape of one request. Where `lanes` has no bit, `addresses` is not looked at. Global arrays begin at addresses
/// that are multiples of 256, as cudaMalloc gives them; where a shared array begins makes no difference to conflicts.
/// Local memory has no shape: compilers keep it in registers or interleave it.
[[nodiscard]] RequestShape shapeOf(const LaneAddresses& addresses, LaneMask lanes, LaneRequest request,
                                   MemorySpace space);

/// The shape of a request that begins with an access as an observer hears it.
[[nodiscard]] RequestShape shapeOf(const simt::MemoryAccess& access, LaneRequest request);

/// Bytes a lane of the asynchronous copies that pass by L1 (cp.async.cg). Shorter ones load through it like any load.
inline constexpr int kPassingBytes = 16;

/// What such a copy counts as sectors of global memory: for each line of the source the sectors of shared memory that
/// it fills. It was read off an H200's counters; a copy between places that begin alike in a sector counts as a load.
[[nodiscard]] std::uint32_t sectorsCopied(const LaneAddresses& from, const LaneAddresses& to, LaneMask lanes);

/// The lanes that shared memory serves together. All of them for up to 4 bytes each; 8 bytes go to one half of the warp
/// after the other, 16 bytes to one quarter. Loads take two such sets at once where every two neighbouring lanes, or
/// every two lanes at a distance of two, want the same.
[[nodiscard]] std::vector<LaneMask> servedTogether(const LaneAddresses& addresses, LaneMask lanes, LaneRequest request);

/// Sums over requests.
struct RequestTotals {
  std::uint64_t globalRequests = 0, globalLanes = 0;
  std::uint64_t sectors = 0, idealSectors = 0;
  std::uint64_t sharedRequests = 0, sharedLanes = 0;
  std::uint64_t sharedPasses = 0, idealSharedPasses = 0;
  std::uint64_t bankDegreeSum = 0;
  std::uint32_t bankDegreeMax = 0;
  std::uint64_t constantRequests = 0, constantPasses = 0;
  std::uint64_t clusterRequests = 0, clusterSectors = 0;  ///< to the shared memory of other blocks of the cluster

  void add(const RequestShape& shape, MemorySpace space);
  void add(const RequestTotals& other);

  /// Sectors a request of global memory; 0 without one.
  [[nodiscard]] double sectorsPerRequest() const;
  /// Mean bank-conflict degree of a request of shared memory; 0 without one.
  [[nodiscard]] double meanBankDegree() const;
  /// Passes a request of constant memory takes: 1 is a broadcast; 0 without one.
  [[nodiscard]] double passesPerConstantRequest() const;

  bool operator==(const RequestTotals&) const = default;
};

/// Totals of a launch. Sectors are what L1 is asked for: a warp's request is split into sectors before any cache.
struct MemoryRequests {
  RequestTotals all;
  std::vector<RequestTotals> instructions;  ///< per Program::code
  std::vector<RequestTotals> statements;    ///< per Program::statements
};

/// Shapes of the requests of one instruction, each computed once. Warps repeat a few patterns: the same distances
/// between lanes, on the same place in a cache line. A shape depends on nothing else.
class RequestShapes {
 public:
  /// As shapeOf.
  [[nodiscard]] const RequestShape& of(const simt::MemoryAccess& access, LaneRequest request);

 private:
  struct Pattern {
    LaneMask lanes = 0;
    MemorySpace space = MemorySpace::Global;
    ValueType element = ValueType::F32;
    LaneRequest request;
    std::int64_t phase = 0;                           ///< bytes from the last cache line's begin to the first lane
    std::array<std::int64_t, kWarpSize> distances{};  ///< elements from the first active lane; 0 where inactive

    bool operator==(const Pattern&) const = default;
  };
  struct Known {
    Pattern pattern;
    RequestShape shape;
  };
  /// Enough for the warps of a block on the eight places in a line that a sector's floats can have.
  static constexpr std::size_t kSlots = 64;
  std::vector<Known> known_;  ///< a pattern can only be in one slot; a newer one replaces it
};

/// Counts the requests of a launch. An atomic is one request, and so are the members of a vector, which are counted
/// where the first of them is accessed; lanes of one instruction that address different arrays make one request each
/// array.
class RequestCounter final : public simt::Observer {
 public:
  /// `program` must outlive the counter.
  explicit RequestCounter(const Program& program);

  [[nodiscard]] Wants wants() const override { return {.statements = false, .instructions = false, .accesses = true}; }
  [[nodiscard]] bool listensTo(std::uint32_t instruction) const override {
    return beginsRequest(program_.code[instruction]);
  }
  [[nodiscard]] std::unique_ptr<Observer> fork() const override;
  void join(Observer& worker) override;
  void access(const simt::WarpContext& context, const simt::MemoryAccess& access) override;
  /// Another block's shared memory is asked for in sectors, as global memory is, and counts as neither.
  void clusterAccess(const simt::WarpContext& context, const simt::MemoryAccess& access, std::uint32_t rank) override;

  [[nodiscard]] MemoryRequests totals() const;

 private:
  /// The loads of asynchronous copies that pass by L1, whose sectors depend on where the store behind them goes.
  struct CopiedLanes {
    std::uint32_t instruction = kNone;
    LaneMask lanes = 0;
    LaneAddresses from{};  ///< above them, the number of the array
  };
  void copyLoads(const simt::MemoryAccess& access);
  void copyStores(const simt::MemoryAccess& access);

  const Program& program_;
  std::vector<RequestTotals> instructions_;
  std::vector<RequestShapes> shapes_;  ///< per Program::code
  CopiedLanes copied_;
  std::int64_t dynamicBegin_ = 0;  ///< of `extern __shared__` arrays, behind the others
};

}  // namespace haloscope::analysis
