#pragma once

#include <filesystem>
#include <vector>

namespace haloscope::opening {

/// The .cu files of a folder and of the folders in it, in the order of their paths; of a file, the file itself. Hidden
/// files and folders, and folders of build products, are passed over. Throws InputError if there are none.
std::vector<std::filesystem::path> kernelFilesIn(const std::filesystem::path& fileOrFolder);

}  // namespace haloscope::opening
