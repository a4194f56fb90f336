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

std::vector<fs::path> filesIn(const fs::path& folder, std::span<const std::string_view> extensions, int depth) {
  constexpr std::size_t kMostEntries = 20'000;
  std::vector<fs::path> files;
  std::error_code error;
  std::size_t seen = 0;
  constexpr auto kOptions = fs::directory_options::skip_permission_denied;
  fs::recursive_directory_iterator at(folder, kOptions, error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (++seen > kMostEntries) {
      throw InputError(
          trf("{} has more than {} entries: name a folder of it, or a file", folder.string(), kMostEntries));
    }
    std::error_code unreadable;
    const fs::file_type type = at->symlink_status(unreadable).type();
    if (type == fs::file_type::directory && (isSkipped(name) || at.depth() >= depth)) {
      at.disable_recursion_pending();
    }
    if (type == fs::file_type::regular && !name.starts_with(".") &&
        std::ranges::find(extensions, at->path().extension().string()) != extensions.end()) {
      files.push_back(at->path());
    }
  }
  if (error) { throw InputError(trf("{} cannot be listed: {}", folder.string(), error.message())); }
  std::ranges::sort(files);
  return files;
}

std::vector<fs::path> kernelFilesIn(const fs::path& fileOrFolder) {
  std::error_code error;
  if (!fs::is_directory(fileOrFolder, error)) { return {fileOrFolder}; }
  std::vector<fs::path> files = filesIn(fileOrFolder, std::array{std::string_view(".cu")});
  if (files.empty()) { throw InputError(trf("{} contains no .cu file", fileOrFolder.string())); }
  return files;
}

}  // namespace haloscope::opening
