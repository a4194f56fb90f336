#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace haloscope {

/// The whole file; nothing if it cannot be read.
[[nodiscard]] std::optional<std::string> readWhole(const std::filesystem::path& path);

/// Replaces the whole file, or leaves it as it was: written beside it, forced to the disk, then renamed. A link keeps
/// pointing where it points. Returns what went wrong, in a sentence; empty if it is done.
std::string replaceWhole(const std::filesystem::path& path, const std::string& text);

}  // namespace haloscope
