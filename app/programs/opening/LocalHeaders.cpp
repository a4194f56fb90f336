#include "opening/LocalHeaders.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <system_error>

#include "frontend/SourceTokens.h"
#include "opening/OpenedFile.h"
#include "preludes/ToolkitHeaders.h"

namespace haloscope::opening {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxHeaders = 64;

constexpr auto kIncludeFolders =
    std::to_array<const char*>({"", "include", "inc", "common", "../include", "../common"});
/// Where a project keeps its headers, too. A build would say which of them it means: one is taken if no other has it.
constexpr auto kFurtherFolders = std::to_array<const char*>(
    {"src", "util", "utils", "headers", "..", "../inc", "../src", "../util", "../utils", "../headers", "../..",
     "../../include", "../../inc", "../../common", "../../src", "../../util", "../../utils", "../../headers"});

/// A stranger's text must not name any file of the user's: only what a header is called is read.
bool isHeader(const std::string& name) {
  static constexpr auto kExtensions = std::to_array<const char*>(
      {".h", ".hpp", ".hh", ".hxx", ".cuh", ".cu", ".inc", ".inl", ".ipp", ".tpp", ".c", ".cpp", ".cc"});
  return std::ranges::any_of(kExtensions, [&](const char* one) { return fs::path(name).extension() == one; });
}

/// How many folders above that of the named file a header may be: "../../common/helper.h".
constexpr int kMaxUp = 2;

fs::path canonicalFolder(const fs::path& folder) {
  std::error_code error;
  return fs::canonical(folder.empty() ? fs::path(".") : folder, error);
}

/// The regular file at a path from `folder`, below `home` or at most kMaxUp above it, to which no link leads: a
/// stranger's folder must not stand for another one of the user's.
bool isReadable(const fs::path& folder, const fs::path& path, const fs::path& home) {
  std::error_code error;
  if (!fs::is_regular_file(folder / path, error)) { return false; }
  const fs::path root = canonicalFolder(folder), file = fs::canonical(folder / path, error);
  const fs::path seen = file.lexically_relative(canonicalFolder(home));
  return !error && !root.empty() && file == (root / path).lexically_normal() && !seen.empty() &&
         std::ranges::count(seen, fs::path("..")) <= kMaxUp;
}

/// Reads what texts in a folder include.
struct IncludedFiles {
  const fs::path& folder;
  const fs::path& home;
  const std::map<fs::path, std::string>& edited;
  HeaderTexts& headers;

  /// Where a header is that a text in `inside`, seen from the folder, includes.
  [[nodiscard]] std::optional<fs::path> fileOf(const fs::path& inside, const std::string& name) const {
    for (const char* below : kIncludeFolders) {
      if (isReadable(folder, below / inside / name, home)) {
        return (folder / below / inside / name).lexically_normal();
      }
    }
    return preludes::isToolkitHeader(name) ? std::nullopt : furtherFile(name);
  }

  /// The only one of this name in the further folders: "../common/x.h" may be in "../../common".
  [[nodiscard]] std::optional<fs::path> furtherFile(const std::string& name) const {
    fs::path plain = fs::path(name).lexically_normal();
    while (!plain.empty() && *plain.begin() == "..") { plain = plain.lexically_relative(".."); }
    // ".." and "../../src" are one folder of a file in src: from a relative folder only its canonical path says so.
    std::map<fs::path, fs::path> found;
    for (const char* below : kFurtherFolders) {
      const fs::path path = (folder / below / plain).lexically_normal();
      std::error_code error;
      if (isReadable(folder, below / plain, home)) { found.try_emplace(fs::canonical(path, error), path); }
    }
    return found.size() == 1 ? std::optional(found.begin()->second) : std::nullopt;
  }

  void read(const fs::path& inside, const std::string& text) const {
    for (const std::string& name : includesIn(text)) {
      const std::string key = (inside / name).lexically_normal().string();
      if (headers.size() >= kMaxHeaders || headers.contains(key) || key.starts_with("/") || !isHeader(key)) {
        continue;
      }
      const std::optional<fs::path> path = fileOf(inside, name);
      std::error_code error;
      if (!path || fs::file_size(*path, error) > kMaxTextBytes) { continue; }
      const auto typed = edited.find(*path);
      headers[key] = typed == edited.end() ? readOpenedText(*path) : typed->second;
      const std::string content = headers[key];
      read((inside / name).lexically_normal().parent_path(), content);
    }
  }
};

}  // namespace

std::vector<std::string> includesIn(const std::string& text) {
  const frontend::SourceTokens source(text);
  std::vector<std::string> names;
  for (const frontend::SourceTokens::Directive& one : source.directives()) {
    if (one.word == "include" && one.quoted) { names.push_back(one.name); }
  }
  return names;
}

HeaderTexts localHeaders(const fs::path& folder, const std::string& text, const std::map<fs::path, std::string>& edited,
                         HeaderTexts known, const fs::path& home) {
  IncludedFiles{folder, home, edited, known}.read({}, text);
  return known;
}

fs::path pathOfHeader(const fs::path& folder, const std::string& name) {
  HeaderTexts none;
  return IncludedFiles{folder, folder, {}, none}.fileOf({}, name).value_or(folder / name);
}

bool isLinked(const fs::path& folder, const std::string& name) {
  std::error_code error;
  return fs::is_regular_file(folder / name, error) && isHeader(name) && !isReadable(folder, name, folder);
}

std::string textBefore(const std::string& text, const std::string& header) {
  const frontend::SourceTokens source(text);
  for (const frontend::SourceTokens::Directive& one : source.directives()) {
    if (one.word == "include" && one.quoted && one.name == header) { return text.substr(0, one.where.begin); }
  }
  return {};
}

HeaderTexts headersSeenFrom(const fs::path& header, const HeaderTexts& headers) {
  HeaderTexts seen = headers;
  const std::string folder = header.parent_path().string();
  for (const auto& [name, content] : headers) {
    if (!folder.empty() && name.starts_with(folder + "/")) {
      seen.try_emplace(name.substr(folder.size() + 1), content);
    }
  }
  seen.erase(header.filename().string());  // the header itself
  return seen;
}

}  // namespace haloscope::opening
