#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "program/Program.h"

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

}  // namespace haloscope::recording
