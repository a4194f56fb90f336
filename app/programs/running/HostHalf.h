#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "host/HostProgram.h"

namespace haloscope::running {

/// All that the object code of a program's host half depends on: its texts without the bodies of `__global__` and
/// `__device__` functions, its macros. Two programs have the same host half if `text` is the same.
///
/// A body stays in where the host may depend on it: of a function that is also `__host__`, or constexpr, or an operator
/// (which the stand-in for thrust calls), or whose type is deduced; where a directive other than a pragma stands in it;
/// and every one where a macro of the program has unbalanced braces, or __COUNTER__ is used. Where the program asks for
/// its lines (__LINE__, assert), the number of lines of each body stays in.
struct HostHalf {
  std::string text;
  std::map<std::string, std::vector<int>> lines;  ///< by file or header: for each line in `text`, the one in the file
};
[[nodiscard]] HostHalf hostHalfOf(const host::HostProgram& program);

/// The host half of a program, compiled.
struct CompiledHost {
  HostHalf half;
  std::vector<std::vector<std::byte>> objects;  ///< one for each file
};

/// Where a place of one program is in another one with the same host half, in which the bodies may have other lines.
[[nodiscard]] host::HostPlace placeIn(const HostHalf& to, const HostHalf& from, host::HostPlace place);

}  // namespace haloscope::running
