#pragma once

#include <filesystem>
#include <string>

namespace haloscope {

/// $XDG_CACHE_HOME/haloscope, or ~/.cache/haloscope, for data that can be recreated. Empty if neither is set. It need
/// not exist.
[[nodiscard]] std::filesystem::path cacheFolder();

/// The path of a folder that ships with the program: "kernels", "shaders" or "assets". Looked for next to the
/// executable (see HaloscopeProgram.h), in ../share/haloscope of an installed program, then in `sourceFolder` (the tree
/// it was built from, may be empty). Throws InputError naming the places that were tried.
[[nodiscard]] std::filesystem::path resourceFolder(const std::string& name, const std::filesystem::path& sourceFolder);

/// Whether a path lies below a folder, once links are followed.
[[nodiscard]] bool isInside(const std::filesystem::path& path, const std::filesystem::path& folder);

}  // namespace haloscope
