#pragma once

#include <cstdint>

namespace haloscope::simt {

/// Vector instructions that the lane operations are compiled for. One binary holds all of them and chooses when it
/// runs: each machine can do what comes before the best that it has.
enum class InstructionSet : std::uint8_t { Baseline, Avx2, Avx512 };

/// The best instruction set of this machine that the binary has code for.
[[nodiscard]] InstructionSet bestInstructionSet();

}  // namespace haloscope::simt
