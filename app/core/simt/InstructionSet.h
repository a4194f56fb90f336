#pragma once

#include <cstdint>

namespace haloscope::simt {

/// Instruction sets that the lane operations are compiled for, ascending: each machine supports all up to its best. One
/// binary contains all of them and selects at run time.
enum class InstructionSet : std::uint8_t { Baseline, Avx2, Avx512 };

/// The best instruction set of this machine that the binary supports.
[[nodiscard]] InstructionSet bestInstructionSet();

}  // namespace haloscope::simt
