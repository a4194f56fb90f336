#include "opening/OpenedFolder.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <system_error>

#include "language/Text.h"
#include "program/SourceLocation.h"

namespace haloscope::opening {

namespace fs = std::filesystem;

namespace {

/// Folders made by compilers, editors and archivers.
bool isSkipped(const std::string& folder) {
  constexpr auto kNames = std::to_array<std::string_view>({"build", "out", "bin", "obj", "Debug", "Release", "x64",
                                                           "CMakeFiles", "node_modules", "__MACOSX", "__pycache__"});
  return folder.starts_with(".") || folder.starts_with("build-") || folder.starts_with("build_") ||
         folder.starts_with("cmake-build") || std::ranges::find(kNames, folder) != kNames.end();
}

}  // namespace

std::vector<fs::path> kernelFilesIn(const fs::path& fileOrFolder) {
  std::error_code error;
  if (!fs::is_directory(fileOrFolder, error)) { return {fileOrFolder}; }
  std::vector<fs::path> files;
  constexpr auto kOptions = fs::directory_options::skip_permission_denied;
  fs::recursive_directory_iterator at(fileOrFolder, kOptions, error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    const fs::path& path = at->path();
    std::error_code unreadable;
    if (at->is_directory(unreadable)) {
      if (isSkipped(path.filename().string())) { at.disable_recursion_pending(); }
    } else if (path.extension() == ".cu" && !path.filename().string().starts_with(".") &&
               at->is_regular_file(unreadable)) {
      files.push_back(path);
    }
  }
  if (files.empty()) { throw InputError(trf("{} contains no .cu file", fileOrFolder.string())); }
  std::ranges::sort(files);
  return files;
}

}  // namespace haloscope::opening
