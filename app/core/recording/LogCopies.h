#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "program/AsyncCopies.h"
#include "program/MemoryBarrier.h"
#include "program/Program.h"
#include "recording/LogActions.h"
#include "recording/LogOrigins.h"
#include "recording/LogPlaces.h"
#include "recording/RecordingBuilder.h"

namespace haloscope::recording {

/// A warp's copy that has been issued.
struct IssuedCopy {
  LaneMask lanes = 0;
  AccessGroup access;
  std::array<std::int64_t, kWarpSize> element{};
  std::array<std::uint64_t, kWarpSize> value{};
  std::array<LogOrigins::Provenance, kWarpSize> from{};
  std::array<std::size_t, kWarpSize> number{};  ///< of those to shared memory, see RecordingBuilder::issue
};

/// The asynchronous copies of a block whose log is read, and its barriers in shared memory: when a copy arrives, and
/// which warp waits for another, follows from what the threads did with them.
class LogCopies {
 public:
  LogCopies(const Program& program, RecordingBuilder& builder, std::uint32_t warps);

  void issue(IssuedCopy copy);
  /// What lanes of a warp do with one instruction. False if they have to wait for others, and do it again later. Throws
  /// LogError. `places`: where barriers are.
  bool act(std::uint32_t warp, std::span<const WarpAction> actions, const LogPlaces& places);
  /// Whether bulk copies to global memory are on their way: they arrive by the end of the block.
  [[nodiscard]] bool storesInBulk() const;
  void landBulkStores();
  /// What a thread has written to a register, with an instruction: for a token of an arrival, which on the GPU is any
  /// number, the phase that it stands for; any other value as it is.
  [[nodiscard]] std::uint64_t written(std::uint32_t thread, std::uint32_t instruction, std::uint64_t bits);

 private:
  bool useBarrier(std::uint32_t warp, const WarpAction& action, const LogPlaces& places);
  void endPhase(std::uint64_t address, MemoryBarrier& barrier, std::uint32_t thread, const LogPlaces& places);
  void land(const IssuedCopy& copy);

  /// A token that a thread has in a register, and the barrier's phase in which it has arrived.
  struct Token {
    std::uint64_t bits = 0, phase = 0;
  };
  [[nodiscard]] const Token* tokenIn(std::uint32_t thread, RegisterId reg, std::uint64_t bits, int way) const;

  const Program& program_;
  RecordingBuilder& builder_;
  std::vector<AsyncCopies<IssuedCopy>> copies_, bulkStores_;      ///< by warp
  std::map<std::uint64_t, MemoryBarrier> barriers_;               ///< by address
  std::map<std::array<std::uint64_t, 3>, std::uint64_t> phases_;  ///< by thread, barrier and token
  std::map<std::pair<std::uint32_t, RegisterId>, Token> tokens_;  ///< by thread and register
  std::vector<std::vector<RegisterId>> assigned_;                 ///< by register: those that are assigned to it
};

}  // namespace haloscope::recording
