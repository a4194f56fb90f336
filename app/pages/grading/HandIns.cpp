#include "grading/HandIns.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <system_error>

#include "host/HostCompiler.h"
#include "language/Text.h"
#include "program/SourceLocation.h"
#include "text/Printable.h"

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

std::set<std::string> standInsAmong(const std::vector<fs::path>& shared, const fs::path& compilerHeaders) {
  // The folders in which programs look for headers, see host::compileHost().
  static constexpr auto kSearched = std::to_array<std::string_view>({"include", "inc", "src", "common"});
  std::map<std::string, std::string> paths;  // by the name that finds them
  for (const fs::path& path : shared) {
    std::error_code error;
    const std::string name = path.filename().string();
    if (!fs::is_directory(path, error)) {
      paths[name] = name;
      continue;
    }
    if (std::ranges::find(kSearched, name) == kSearched.end()) { continue; }
    std::size_t seen = 0;
    fs::recursive_directory_iterator at(path, error);
    for (; !error && at != fs::recursive_directory_iterator() && ++seen <= kMaxEntries; at.increment(error)) {
      const std::string inside = at->path().lexically_relative(path).string();
      paths[inside] = name + "/" + inside;
    }
  }
  if (paths.empty()) { return {}; }
  host::SystemHeaders headers;
  try {
    headers = host::SystemHeaders::find(compilerHeaders);
  } catch (const MissingError&) {
    headers.compiler = compilerHeaders;  // those that are not there cannot be hidden
  }
  std::vector<std::string> names;
  for (const auto& [name, path] : paths) { names.push_back(name); }
  std::set<std::string> standIns;
  for (const std::string& name : host::providedAmong(std::move(names), headers)) { standIns.insert(paths.at(name)); }
  return standIns;
}

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
