#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace haloscope {

/// The whole file; nothing if it cannot be read.
[[nodiscard]] std::optional<std::string> readWhole(const std::filesystem::path& path);

/// Flushes the entries of a folder to the disk, if the file system supports that.
void syncFolder(const std::filesystem::path& folder);

/// Replaces the whole file or leaves it unchanged: writes a temporary file in its folder, flushes it to the disk,
/// renames it and flushes the folder. A symbolic link is followed, not replaced. Returns an error message; empty on
/// success.
std::string replaceWhole(const std::filesystem::path& path, const std::string& text);

}  // namespace haloscope
