#pragma once

#include <map>
#include <string>
#include <vector>

#include "host/HostProgram.h"

namespace haloscope::running {

/// What a line that allocates memory calls it: "d_in" of `cudaMalloc((void**)&d_in, bytes)`. One for each call.
[[nodiscard]] std::vector<std::string> allocatedNames(const std::string& line);

/// Names for the allocations of a program, each different: "d_in", "row[r]", "row[r] (2)".
class AllocationLabels {
 public:
  explicit AllocationLabels(const host::HostProgram& program) : program_(program) {}

  /// Of the next allocation at this place; empty if its line says nothing.
  std::string next(const host::HostPlace& at);

 private:
  struct Line {
    std::vector<std::string> names;
    std::size_t count = 0;  ///< of allocations so far
  };

  [[nodiscard]] std::vector<std::string> namesAt(const host::HostPlace& at) const;

  const host::HostProgram& program_;
  std::map<std::pair<std::string, int>, Line> lines_;
  std::map<std::string, int> used_;
};

}  // namespace haloscope::running
