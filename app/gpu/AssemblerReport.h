#pragma once

#include <map>
#include <string>

namespace haloscope::gpu {

/// What the assembler (ptxas) says that a kernel takes.
struct CodeResources {
  int registers = 0;    ///< of a thread
  int sharedBytes = 0;  ///< static, of a block
  int stackBytes = 0;   ///< local memory of a thread: registers that spilled, arrays indexed at run time
  int spillBytes = 0;   ///< stored by a thread because registers ran out
};

/// Takes the assembler's report (`--ptxas-options=-v`) out of `log`, which keeps what else was said: warnings. By the
/// kernel's name in the image.
[[nodiscard]] std::map<std::string, CodeResources> takeAssemblerReport(std::string& log);

}  // namespace haloscope::gpu
