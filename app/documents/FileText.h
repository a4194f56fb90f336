#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace haloscope {

/// The whole file; nothing if it cannot be read.
[[nodiscard]] std::optional<std::string> readWhole(const std::filesystem::path& path);

/// Forces what a folder holds, its names, to the disk, where the file system can.
void syncFolder(const std::filesystem::path& folder);

/// Replaces the whole file, or leaves it as it was: written beside it, forced to the disk, then renamed, and the new
/// name forced to the disk as well. A link keeps pointing where it points. Returns what went wrong, in a sentence;
/// empty if it is done.
std::string replaceWhole(const std::filesystem::path& path, const std::string& text);

}  // namespace haloscope
