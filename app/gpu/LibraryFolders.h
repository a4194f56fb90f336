#pragma once

#include <string>
#include <vector>

namespace haloscope::gpu {

/// Folders to look in for NVIDIA's libraries, most specific first: beside the program (../lib too), in the toolkit the
/// program was built with, on the system's search path (""), and in /usr/local/cuda.
[[nodiscard]] std::vector<std::string> libraryFolders();

}  // namespace haloscope::gpu
