#include "recording/LogShuffles.h"

#include <algorithm>
#include <bit>
#include <cstddef>

#include "program/Shuffle.h"

namespace haloscope::recording {

void LogShuffles::argument(std::uint32_t lane, std::uint32_t instruction, std::uint32_t field, std::uint32_t value) {
  auto call = std::ranges::find(calls_, instruction, &Call::instruction);
  if (call == calls_.end()) { call = calls_.insert(call, {.instruction = instruction, .lanes = 0, .arguments = {}}); }
  call->lanes |= LaneMask{1} << lane;
  call->arguments[lane][field] = value;
}

void LogShuffles::resolve(const Program& program, std::vector<WarpShuffle>& to) const {
  for (const Call& call : calls_) {
    const ShuffleMode mode = ShuffleMode::unpack(program.code[call.instruction].aux);
    for (LaneMask rest = call.lanes; rest != 0; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      const auto [operand, given] = call.arguments[static_cast<std::size_t>(lane)];
      const int width = mode.width == ShuffleMode::kInOperand ? static_cast<int>(given) : mode.width;
      if (!ShuffleOperand::isWidth(width)) { continue; }
      const int from = shuffleSource(mode.kind, width, lane, operand) & (kWarpSize - 1);
      if ((call.lanes >> from & 1U) == 0) { continue; }
      to.push_back({call.instruction, static_cast<std::uint32_t>(lane), static_cast<std::uint32_t>(from)});
    }
  }
}

}  // namespace haloscope::recording
