#pragma once

#include <cstddef>
#include <cstdint>

#include "program/Program.h"

namespace haloscope {

/// What a program may have at most. Hand-written kernels stay far below; the lowering refuses what is beyond.
struct ProgramLimits {
  static constexpr std::size_t kInstructions = 200'000;
  static constexpr std::size_t kRegisters = 65'536;
  static constexpr std::size_t kVariables = 20'000;
  static constexpr std::size_t kObjects = 10'000;
  static constexpr std::size_t kParameters = 10'000;
  static constexpr std::size_t kLoops = 10'000;
  static constexpr std::size_t kDepth = 4096;  ///< of constructs in each other
  static constexpr std::size_t kExtents = 256;
  static constexpr std::size_t kMembers = 64;
  static constexpr std::size_t kNameBytes = 65'536;
  static constexpr std::size_t kTextBytes = 1 << 20;  ///< of an assertion

  // Bytes of all arrays of one kind of memory.
  static constexpr std::int64_t kLocalBytes = 512 * 1024;  ///< of one thread: CUDA's limit
  static constexpr std::int64_t kConstantBytes = std::int64_t{16} << 20;
  static constexpr std::int64_t kStaticBytes = std::int64_t{1} << 30;  ///< shared or global: more than any GPU allows
  static constexpr std::int64_t kArgumentBytes = std::int64_t{1} << 20;
};

/// Throws InputError, which says what is wrong, unless a program is such that nothing that reads or executes it can
/// index beyond its parts, beyond a register's lanes or beyond memory, run without end outside the step budget, or take
/// memory without bound: each operand is a register of the right size, each number within what it names, the constructs
/// nest as the lowering makes them. All that the lowering makes is well formed. Enumerators other than those in
/// Instruction::aux must be within their enumerations.
void checkWellFormed(const Program& program);

}  // namespace haloscope
