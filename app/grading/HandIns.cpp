#include "grading/HandIns.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <system_error>

#include "language/Text.h"
#include "pages/Printable.h"
#include "program/SourceLocation.h"

namespace haloscope::grading {

namespace fs = std::filesystem;

namespace {

/// Entries listed of one folder: a hostile hand-in may have millions.
constexpr std::size_t kMaxEntries = 20'000;

bool isHeaderFile(const fs::path& path) {
  static constexpr auto kExtensions =
      std::to_array<std::string_view>({".h", ".hpp", ".hh", ".hxx", ".cuh", ".inc", ".inl"});
  return std::ranges::find(kExtensions, path.extension().string()) != kExtensions.end();
}

/// Whether a folder has headers, and no other file.
bool hasOnlyHeaders(const fs::path& folder) {
  std::error_code error;
  bool any = false;
  std::size_t seen = 0;
  fs::recursive_directory_iterator at(folder, error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    std::error_code unknown;
    if (++seen > kMaxEntries) { return false; }
    if (at->symlink_status(unknown).type() == fs::file_type::directory) { continue; }
    if (!isHeaderFile(at->path())) { return false; }
    any = true;
  }
  return any && !error;
}

}  // namespace

std::vector<fs::path> sharedBeside(const fs::path& file) {
  std::vector<fs::path> shared;
  std::error_code error;
  std::size_t seen = 0;
  const fs::path folder = file.parent_path().empty() ? fs::path(".") : file.parent_path();
  fs::directory_iterator at(folder, error);
  for (; !error && at != fs::directory_iterator() && ++seen <= kMaxEntries; at.increment(error)) {
    std::error_code unknown;
    const fs::path& path = at->path();
    if (path.filename().string().starts_with(".")) { continue; }
    const fs::file_type type = at->symlink_status(unknown).type();
    const bool header = type == fs::file_type::regular && isHeaderFile(path);
    if (header || (type == fs::file_type::directory && hasOnlyHeaders(path))) { shared.push_back(path); }
  }
  std::ranges::sort(shared);
  return shared;
}

HandInFolder findHandIns(const fs::path& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) { throw InputError(trf("{}: there is no such folder", folder.string())); }
  HandInFolder found;
  std::size_t seen = 0;
  fs::directory_iterator at(folder, error);
  for (; !error && at != fs::directory_iterator(); at.increment(error)) {
    std::error_code unknown;
    const fs::path& path = at->path();
    const std::string name = path.filename().string();
    if (name.starts_with(".") || name == "__MACOSX") { continue; }
    if (++seen > kMaxEntries) {
      throw InputError(trf("{} has more than {} entries: this is no folder of hand-ins", folder.string(), kMaxEntries));
    }
    const fs::file_type type = at->symlink_status(unknown).type();
    const bool isFolder = type == fs::file_type::directory;
    if (path.extension() == ".cu" || (isFolder && !hasOnlyHeaders(path)) ||
        (type == fs::file_type::symlink && fs::is_directory(path, unknown))) {
      found.handIns.push_back({printable(name), path});
    } else if (isFolder || (isHeaderFile(path) && (type == fs::file_type::regular || type == fs::file_type::symlink))) {
      found.shared.push_back(path);
    } else {
      ++found.others;
    }
  }
  if (error) { throw InputError(trf("{} cannot be listed: {}", folder.string(), error.message())); }
  if (found.handIns.empty()) {
    throw InputError(trf("{} has no hand-in: neither a .cu file nor a subfolder", folder.string()));
  }
  std::ranges::sort(found.handIns, {}, &HandIn::path);
  std::ranges::sort(found.shared);
  return found;
}

}  // namespace haloscope::grading
