#pragma once

#include <string>
#include <vector>

namespace haloscope::gpu {

/// Folders to search for NVIDIA's libraries, most specific first: next to the program (also ../lib), the toolkit that
/// the program was built with, the system's search path (""), and /usr/local/cuda.
[[nodiscard]] std::vector<std::string> libraryFolders();

}  // namespace haloscope::gpu
