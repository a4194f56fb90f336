#pragma once

#include <cstddef>
#include <set>
#include <string>

#include "host/HostProgram.h"

namespace haloscope::running {

/// Names and places in the calls of a host process. The program may have written anything into its own memory, so a
/// process may claim any; these stay within bounds.
class ClaimedNames {
 public:
  /// `program` must outlive it.
  explicit ClaimedNames(const host::HostProgram& program) : program_(program) {}

  /// A place in the program's texts or, of other files, in one of a few. Otherwise none.
  [[nodiscard]] host::HostPlace place(host::HostPlace at);
  /// Throws InputError for a name that is too long, or if all together are.
  void check(const std::string& name);

 private:
  const host::HostProgram& program_;
  std::set<std::string> otherFiles_;  ///< of places, that are none of the program's
  std::size_t longNameBytes_ = 0;
};

}  // namespace haloscope::running
