#pragma once

#include <filesystem>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

namespace haloscope::opening {

/// The files of a folder and its subfolders with one of these extensions, ".cu", in the order of their paths. Hidden
/// ones, folders of build products and symbolic links are skipped. Throws InputError if a folder cannot be listed.
/// `depth`: of subfolders below it.
[[nodiscard]] std::vector<std::filesystem::path> filesIn(const std::filesystem::path& folder,
                                                         std::span<const std::string_view> extensions,
                                                         int depth = std::numeric_limits<int>::max());

/// The .cu files of a folder and its subfolders; for a file, the file itself. Throws InputError if there are none.
[[nodiscard]] std::vector<std::filesystem::path> kernelFilesIn(const std::filesystem::path& fileOrFolder);

}  // namespace haloscope::opening
