#pragma once

#include <cstddef>
#include <string>

#include "host/HostProgram.h"
#include "running/HostHalf.h"

namespace haloscope::running {

/// Names and places in the calls of a host process. The program may have written anything into its own memory, so a
/// process may claim any; these stay within bounds.
class ClaimedNames {
 public:
  /// `half` is that of the program, and must outlive it.
  explicit ClaimedNames(const HostHalf& half) : half_(half) {}

  /// A place in the program's texts that a host half compiled from `compiled` names: a line that one of them has.
  /// Otherwise none.
  [[nodiscard]] host::HostPlace place(host::HostPlace at, const HostHalf& compiled) const;
  /// Throws InputError for a name that is too long, or if all together are.
  void check(const std::string& name);

 private:
  const HostHalf& half_;
  std::size_t longNameBytes_ = 0;
};

}  // namespace haloscope::running
