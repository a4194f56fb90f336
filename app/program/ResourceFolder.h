#pragma once

#include <filesystem>
#include <string>

namespace haloscope {

/// Where a folder that ships with the program is: "kernels", "shaders" or "assets". Looked for beside the executable,
/// in ../share/haloscope of an installed program, then in `sourceFolder` (the tree it was built from, may be empty).
/// Throws InputError naming the places that were tried.
[[nodiscard]] std::filesystem::path resourceFolder(const std::string& name, const std::filesystem::path& sourceFolder);

}  // namespace haloscope
