#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "host/HostProgram.h"
#include "running/ProgramRun.h"

namespace haloscope::frontend {
class SourceTokens;
}  // namespace haloscope::frontend

namespace haloscope::running {

/// The places of a program's text that allocate memory, each read once.
class AllocatingPlaces {
 public:
  explicit AllocatingPlaces(const host::HostProgram& program);
  AllocatingPlaces(const AllocatingPlaces&) = delete;
  AllocatingPlaces& operator=(const AllocatingPlaces&) = delete;
  ~AllocatingPlaces();

  /// The variable of the next allocation at a place, see allocatedVariable(); empty if the text has none.
  std::string next(const host::HostPlace& at);

 private:
  struct Place {
    std::vector<std::string> variables;
    std::size_t seen = 0;
  };

  const frontend::SourceTokens* find(const std::string& name);

  const host::HostProgram& program_;
  std::map<std::string, std::unique_ptr<frontend::SourceTokens>> known_;
  std::map<std::pair<std::string, int>, Place> places_;
};

/// What people call each of ProgramRun::allocations: a variable of the device by its own name, other memory by the
/// variable that the host's text gives to the function that allocates it: "d_in", "fields[i]", with "#3" behind it
/// where several have that name. "#3, line 19" where the text has none.
[[nodiscard]] std::vector<std::string> allocationNames(const ProgramRun& run, const host::HostProgram& program);

/// The variable in the `occurrence`-th call on a line that allocates memory: "d_in" of `cudaMalloc((void**)&d_in, n)`.
/// Empty if there is none. A line in a loop is used again: occurrences count on after its last call.
[[nodiscard]] std::string allocatedVariable(const std::string& text, int line, std::size_t occurrence);

}  // namespace haloscope::running
