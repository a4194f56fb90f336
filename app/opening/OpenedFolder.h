#pragma once

#include <filesystem>
#include <vector>

namespace haloscope::opening {

/// The .cu files of a folder and its subfolders, in the order of their paths; for a file, the file itself. Hidden files
/// and folders, and folders of build products, are skipped. Throws InputError if there are none.
std::vector<std::filesystem::path> kernelFilesIn(const std::filesystem::path& fileOrFolder);

}  // namespace haloscope::opening
