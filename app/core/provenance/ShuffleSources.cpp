#include "provenance/ShuffleSources.h"

#include <bit>

#include "program/Shuffle.h"
#include "simt/Warp.h"

namespace haloscope::provenance {

ShuffleSources::ShuffleSources(const simt::WarpContext& context, const Instruction& shuffle) {
  const ShuffleMode mode = ShuffleMode::unpack(shuffle.aux);
  for (LaneMask rest = context.active; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const auto asked = static_cast<std::uint32_t>(context.state->bits(shuffle.b, lane));
    const auto mask = static_cast<LaneMask>(context.state->bits(shuffle.c, lane));
    const int width = ShuffleOperand::width(mode, asked);
    const int source = shuffleSource(mode.kind, width, lane, asked) & (kWarpSize - 1);
    from[static_cast<std::size_t>(lane)] = static_cast<std::uint8_t>(source);
    const bool takesPart =
        ShuffleOperand::isWidth(width) && ((context.active & mask) >> source & mask >> lane & 1U) != 0;
    given |= takesPart ? LaneMask{1} << lane : 0;
  }
}

}  // namespace haloscope::provenance
