#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "codegen/MachineCode.h"
#include "simt/DecodedProgram.h"

namespace haloscope::codegen {

/// What a launch may use, and where its arrays are.
struct CodeLaunch {
  std::vector<std::byte*> arrays;  ///< by object; null for shared and local ones
  unsigned workers = 1;
  std::uint64_t blockBudget = 0;   ///< warp instructions of a block
  std::uint64_t launchBudget = 0;  ///< of all; 0: unlimited
  bool claims = false;             ///< whether workers may store to the same elements is not known
};

/// What came of one.
enum class CodeOutcome : std::uint8_t {
  Finished,
  GivesUp,   ///< the emulator has to execute it, from the beginning: something is wrong, or takes long
  Conflict,  ///< blocks on different workers stored to the same element: their order decides, one worker has to do it
};

/// A kernel's machine code, and what it needs to execute launches of one shape.
class BlockCode {
 public:
  /// `program` and `launch` must outlive it. Throws as compileKernel() does.
  BlockCode(const Program& program, const machine::KernelShape& launch, simt::InstructionSet set);

  [[nodiscard]] CodeOutcome execute(const CodeLaunch& launch) const;

 private:
  class Worker;

  const Program& program_;
  const machine::KernelShape& launch_;
  KernelCode code_;
  std::vector<bool> written_;               ///< objects
  std::vector<simt::DecodedStep> steps_;    ///< by instruction, on the operands in BlockContext::scratch
  std::vector<std::size_t> sharedOffsets_;  ///< by object
  std::size_t sharedBytes_ = 0;
};

}  // namespace haloscope::codegen
