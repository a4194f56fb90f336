#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "program/Program.h"
#include "simt/Executor.h"
#include "simt/Observer.h"

namespace haloscope::analysis {

/// Of two counts; 0 where nothing was counted.
[[nodiscard]] inline double ratio(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

/// Bytes that threads requested, per memory space: before any cache. An atomic loads and stores.
struct Traffic {
  std::uint64_t globalLoad = 0;
  std::uint64_t globalStore = 0;
  std::uint64_t sharedLoad = 0;
  std::uint64_t sharedStore = 0;
  std::uint64_t constantLoad = 0;
  std::uint64_t localLoad = 0;
  std::uint64_t localStore = 0;
  std::uint64_t clusterLoad = 0;  ///< from the shared memory of other blocks of the cluster
  std::uint64_t clusterStore = 0;

  bool operator==(const Traffic&) const = default;
};

/// What one statement cost, over all threads that executed it.
struct StatementCounts {
  std::uint64_t executions = 0;  ///< times a warp executed it
  std::uint64_t lanes = 0;       ///< times a thread executed it
  std::uint64_t flops = 0;
  Traffic traffic;

  /// Of the lanes of the warps that executed it, the part that was active; 0 if none did.
  [[nodiscard]] double laneEfficiency() const;
};

/// What was done to one array.
struct ObjectCounts {
  std::uint64_t loads = 0;  ///< by threads
  std::uint64_t stores = 0;
  std::uint64_t loadBytes = 0;
  std::uint64_t storeBytes = 0;

  bool operator==(const ObjectCounts&) const = default;
};

/// What a launch executed, counted, not estimated.
struct Counts {
  std::uint64_t flops = 0;  ///< floating-point operations as written, see floatingOperations
  Traffic traffic;
  std::vector<ObjectCounts> objects;        ///< per Program::objects
  std::vector<StatementCounts> statements;  ///< per Program::statements
  std::uint64_t textureRequests = 0;  ///< of warps: texture fetches and surface accesses, which are no traffic here
  std::uint64_t bulkCopies = 0;       ///< see Instruction::bulk; their bytes are in `traffic`
  std::uint64_t bulkBytes = 0;
  std::uint64_t barriers = 0;          ///< times a warp arrived at a barrier
  std::uint64_t warpInstructions = 0;  ///< instructions that warps ran, without the marks between statements
  std::uint64_t laneInstructions = 0;  ///< lanes that took part in them
  std::uint64_t blocks = 0;
  std::uint64_t threads = 0;

  /// Of the lanes that could have worked, the part that did: 1 without divergence and with full warps; 0 if nothing
  /// ran.
  [[nodiscard]] double laneEfficiency() const;
  /// Flops per byte loaded from global memory: the book's arithmetic intensity. 0 without loads.
  [[nodiscard]] double opPerLoadByte() const;
  /// Flops per byte loaded from or stored to global memory. 0 without either.
  [[nodiscard]] double opPerByte() const;
};

/// Counts accesses through pointers whose object, or block of the cluster, only shows when the program runs
/// (`b ? x : y`), lane by lane.
/// Costs nothing when the program has none.
class PointerCounter final : public simt::Observer {
 public:
  explicit PointerCounter(const Program& program);

  /// Whether a program needs one.
  [[nodiscard]] static bool needed(const Program& program);

  [[nodiscard]] Wants wants() const override { return {.statements = false, .instructions = false, .accesses = true}; }
  [[nodiscard]] std::unique_ptr<Observer> fork() const override;
  void join(Observer& worker) override;
  void access(const simt::WarpContext& context, const simt::MemoryAccess& access) override;
  void clusterAccess(const simt::WarpContext& context, const simt::MemoryAccess& access, std::uint32_t rank) override;

  /// Lanes of the instruction that addressed the object; in the shared memory of another block of the cluster.
  [[nodiscard]] std::uint64_t lanes(std::uint32_t instruction, ObjectId object) const;
  [[nodiscard]] std::uint64_t clusterLanes(std::uint32_t instruction, ObjectId object) const;

 private:
  std::vector<std::uint32_t> row_;  ///< per instruction: its row in lanes_, or kNone
  std::size_t objects_;
  std::vector<std::uint64_t> lanes_;  ///< rows of one counter per object, and another one for the cluster's
};

/// Counts from the profile that an execution left. Lanes outside their array are counted as if they had been inside.
/// `pointers` must have observed the same execution; without it, accesses to objects not known beforehand are missing.
[[nodiscard]] Counts countProfile(const Program& program, const simt::ExecuteResult& result,
                                  const PointerCounter* pointers = nullptr);

/// Executes the launch and counts, with a PointerCounter where one is needed and with the observers in `extra`.
/// `result`, if given, receives how the execution ended; what did not finish is counted as far as it came. Throws
/// InputError as simt::execute does.
[[nodiscard]] Counts count(const Program& program, Launch& launch, const simt::ExecuteOptions& options = {},
                           simt::ExecuteResult* result = nullptr, std::span<simt::Observer* const> extra = {});

/// Elements that threads loaded from global memory for each one that they stored there; 0 if they stored none.
[[nodiscard]] double globalLoadsPerStore(const Counts& counts, const Program& program);

}  // namespace haloscope::analysis
