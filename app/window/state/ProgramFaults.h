#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "running/ProgramRun.h"

namespace haloscope {

/// Something that is wrong with an executed program: a finding of its host half or of a launch, how it ended.
struct ProgramFault {
  host::HostPlace at;                         ///< line 0: no place in the text
  std::string title;                          ///< "memory freed twice"
  std::string sentence;                       ///< one
  bool grave = true;                          ///< false: untidy, although the result is right
  bool isEnd = false;                         ///< why the program ended, or a compiler's error
  std::optional<std::size_t> launch{};        ///< the first one that shows it
  std::optional<faults::FindingKind> kind{};  ///< of a launch's finding
};

/// Those of a run: of the host half, of the launches, each place of a kernel once, and of the program's end.
[[nodiscard]] std::vector<ProgramFault> faultsOf(const running::ProgramRun& run);

}  // namespace haloscope
