#pragma once

#include <map>
#include <string>

namespace haloscope::gpu {

/// A kernel's resources as reported by the assembler (ptxas).
struct CodeResources {
  int registers = 0;    ///< per thread
  int sharedBytes = 0;  ///< static, per block
  int stackBytes = 0;   ///< local memory per thread: spilled registers, arrays indexed at run time
  int spillBytes = 0;   ///< spill stores per thread
};

/// Removes the assembler's report (`--ptxas-options=-v`) from `log`, which keeps other output such as warnings. Keyed
/// by the kernel's name in the image.
[[nodiscard]] std::map<std::string, CodeResources> takeAssemblerReport(std::string& log);

}  // namespace haloscope::gpu
