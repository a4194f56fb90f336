#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "codegen/BlockContext.h"
#include "machine/KernelShape.h"
#include "simt/InstructionSet.h"

namespace haloscope::codegen {

/// A kernel as machine code in this process.
struct KernelCode {
  GroupFunction group = nullptr;
  std::shared_ptr<const void> pages;  ///< what group lies in
  unsigned warps = 1;                 ///< of a group
  std::size_t frameBytes = 0;         ///< of a group, aligned to 64
  std::size_t localBytes = 0;         ///< its local arrays, all lanes
};

/// Prepares LLVM: what the first kernel would wait for.
void prepareCodegen();

/// Compiles a kernel that notCarried() has nothing against, and links it. Its pages can be executed and not written.
/// Throws std::runtime_error where that fails: where this system permits no executable memory.
[[nodiscard]] KernelCode compileKernel(const Program& program, const machine::KernelShape& launch,
                                       simt::InstructionSet set);

/// The LLVM function before and after its passes, for tests and debugging.
[[nodiscard]] std::string printKernel(const Program& program, const machine::KernelShape& launch,
                                      simt::InstructionSet set);

}  // namespace haloscope::codegen
