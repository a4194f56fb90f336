#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "program/BlockLog.h"
#include "program/Program.h"
#include "recording/LogStream.h"

namespace haloscope::recording {

/// A lane took the value of another one, or of its own.
struct WarpShuffle {
  std::uint32_t instruction = 0;
  std::uint32_t lane = 0, from = 0;
};

/// The shuffles of a warp's step, from the arguments that its lanes logged.
class LogShuffles {
 public:
  void clear() { calls_.clear(); }
  static constexpr std::uint32_t kFields = 2;

  /// `field` as LogSite::field, below kFields.
  void argument(std::uint32_t lane, std::uint32_t instruction, std::uint32_t field, std::uint32_t value);
  /// Appends who took whose value. A lane that asks one that takes no part gets none.
  void resolve(const Program& program, std::vector<WarpShuffle>& to) const;

 private:
  struct Call {
    std::uint32_t instruction = 0;
    LaneMask lanes = 0;
    std::array<std::array<std::uint32_t, kFields>, kWarpSize> arguments{};
  };
  std::vector<Call> calls_;
};

/// What one lane did with asynchronous copies or a barrier in shared memory, with one instruction.
struct WarpAction {
  std::uint32_t instruction = 0;
  std::uint32_t lane = 0;
  std::uint64_t barrier = 0;  ///< address
  std::uint64_t operand = 0;  ///< b of a MemoryBarrier, a of a CopyWait
  std::uint32_t bytes = 0;    ///< c of a MemoryBarrier
  std::uint64_t result = 0;
};

/// An element of an asynchronous copy that a lane issues.
struct CopyPart {
  std::uint32_t store = 0;         ///< instruction
  std::uint32_t load = kNone;      ///< instruction; kNone: it stores a zero
  std::uint64_t to = 0, from = 0;  ///< addresses
  std::uint64_t bits = 0;
};

/// Which instructions of a unit do what the primitives log that CUDA's library is made of.
class LogActions {
 public:
  /// `placed` as in LoggedBlock.
  LogActions(const Program& program, const Program& placed, const std::vector<LogSite>& sites,
             const ProgramPlaces& places);

  /// What follows is done by the library's function that is called at a site; kNone: by none.
  void enter(std::uint32_t site) { library_ = site; }
  /// Of a unit that begins with an instruction; none of those that LogPlaces keeps. Throws LogError.
  [[nodiscard]] std::optional<WarpAction> action(std::uint32_t lane, std::uint32_t begin, const LogEntry& entry) const;
  /// Of a Copy. Throws LogError.
  [[nodiscard]] std::vector<CopyPart> parts(std::uint32_t begin, const LogEntry& entry) const;
  /// Whether an instruction is part of an asynchronous copy.
  [[nodiscard]] bool copies(std::uint32_t instruction) const { return copies_[instruction]; }

 private:
  template <typename Wanted>
  [[nodiscard]] std::vector<std::uint32_t> doneBy(std::uint32_t begin, const Wanted& wanted) const;

  const Program& program_;
  const Program& placed_;
  const std::vector<LogSite>& sites_;
  const ProgramPlaces& places_;
  std::vector<std::uint32_t> loads_;  ///< see loadsOfCopies()
  std::vector<bool> copies_;          ///< by instruction
  std::uint32_t library_ = kNone;     ///< site
};

}  // namespace haloscope::recording
