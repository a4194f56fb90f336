#pragma once

#include <string>
#include <vector>

#include "host/HostProgram.h"

/// Stand-ins for the headers of libraries that programs use beside CUDA's runtime.
namespace haloscope::host {

struct LibraryHeader {
  std::string name;  ///< as in `#include <…>`
  std::string text;
};

[[nodiscard]] std::vector<LibraryHeader> libraryHeaders();

/// Those that a program names by a path of its own, as in "../include/stb_image.h", and that are not there, or that are
/// the library's own and not needed: names as of HostProgram::headers, and `folder` is where the stand-ins are.
[[nodiscard]] std::vector<LibraryHeader> headersInstead(const HostProgram& program, const std::string& folder);

}  // namespace haloscope::host
