#include "running/LinkedFiles.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "frontend/SourceTokens.h"
#include "opening/OpenedFile.h"

namespace haloscope::running {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostLinked = 32, kMostParts = 64, kMostFolders = 32;
constexpr int kMostRounds = 4;

/// "blur" of "__device_stub__image::blur(float*, int)": how a text that defines it calls it.
std::string_view plainName(std::string_view symbol) {
  symbol = symbol.substr(0, symbol.find('('));
  symbol = symbol.substr(0, symbol.find('<'));
  if (const auto scope = symbol.rfind("::"); scope != std::string_view::npos) { symbol = symbol.substr(scope + 2); }
  constexpr std::string_view kStub = "__device_stub__";
  if (symbol.starts_with(kStub)) { symbol = symbol.substr(kStub.size()); }
  if (const auto type = symbol.rfind(' '); type != std::string_view::npos) { symbol = symbol.substr(type + 1); }
  return symbol;
}

std::set<std::string> undefinedIn(const ProgramRun& run) {
  std::set<std::string> names;
  for (const host::HostDiagnostic& one : run.problems) {
    if (!one.undefined.empty()) { names.emplace(plainName(one.undefined)); }
  }
  return names;
}

/// Names that a text gives functions with a body, and variables outside of functions.
std::set<std::string> definedIn(const std::string& text) {
  const frontend::SourceTokens tokens(text);
  const auto& code = tokens.code();
  const auto is = [&](std::size_t at, std::string_view word) { return at < code.size() && code[at].spelling == word; };
  std::set<std::string> names;
  bool isExtern = false;
  int depth = 0;
  for (std::size_t i = 0; i + 1 < code.size(); ++i) {
    const std::string_view word = code[i].spelling;
    if (word == "{") { ++depth; }
    if (word == "}") { --depth; }
    if (word == ";") { isExtern = false; }
    // What follows extern "C" may be a definition.
    if (word == "extern" && !code[i + 1].spelling.starts_with('"')) { isExtern = true; }
    if (is(i + 1, "(")) {
      std::size_t end = i + 2;
      for (int open = 1; end < code.size() && open > 0; ++end) { open += is(end, "(") ? 1 : is(end, ")") ? -1 : 0; }
      while (is(end, "const") || is(end, "noexcept") || is(end, "override")) { ++end; }
      if (is(end, "{")) { names.emplace(word); }
    } else if (depth == 0 && !isExtern && (is(i + 1, "=") || is(i + 1, ";") || is(i + 1, "["))) {
      names.emplace(word);
    }
  }
  return names;
}

/// The sources in a folder, but not in its subfolders, that do not define main().
std::vector<fs::path> partsIn(const fs::path& folder) {
  constexpr std::uintmax_t kMostBytes = std::uintmax_t{1} << 20;
  std::vector<fs::path> parts;
  std::error_code error;
  for (fs::directory_iterator one(folder.empty() ? "." : folder, error), end; !error && one != end;
       one.increment(error)) {
    const fs::path path = folder / one->path().filename();
    const bool isSource = std::ranges::find(kSourceExtensions, path.extension().string()) != kSourceExtensions.end();
    if (!isSource || one->is_symlink(error) || !one->is_regular_file(error) || one->file_size(error) > kMostBytes) {
      continue;
    }
    if (!definesMain(opening::readOpenedText(path))) { parts.push_back(path); }
    if (parts.size() == kMostParts) { break; }
  }
  std::ranges::sort(parts);
  return parts;
}

/// Beside a single file, in the folders there, and beside the headers that it includes.
std::vector<fs::path> partsBeside(const ProgramFiles& files) {
  std::set<fs::path> folders{files.folder.lexically_normal()};
  for (const auto& [name, text] : files.program.headers) {
    folders.insert((files.folder / name).parent_path().lexically_normal());
  }
  std::error_code error;
  for (fs::directory_iterator one(files.folder.empty() ? "." : files.folder, error), end; !error && one != end;
       one.increment(error)) {
    const std::string name = one->path().filename().string();
    const bool isPart = !name.starts_with('.') && !name.starts_with("build") && !one->is_symlink(error);
    if (isPart && one->is_directory(error)) { folders.insert((files.folder / name).lexically_normal()); }
    if (folders.size() == kMostFolders) { break; }
  }
  std::vector<fs::path> all;
  for (const fs::path& folder : folders) { std::ranges::move(partsIn(folder), std::back_inserter(all)); }
  return all;
}

/// Adds the files that define what is missing, those first that define the most of it. False if there are none.
bool link(ProgramFiles& files, std::set<std::string> missing) {
  if (missing.empty()) { return false; }
  if (files.program.files.size() == 1 && files.others.empty()) { files.others = partsBeside(files); }
  bool any = false;
  while (!missing.empty() && files.program.files.size() < kMostLinked) {
    const fs::path* best = nullptr;
    std::set<std::string> given;
    for (const fs::path& path : files.others) {
      std::set<std::string> common;
      std::ranges::set_intersection(definedIn(opening::readOpenedText(path)), missing,
                                    std::inserter(common, common.end()));
      if (common.size() > given.size()) {
        best = &path;
        given = std::move(common);
      }
    }
    if (best == nullptr) { break; }
    const fs::path path = *best;
    std::erase(files.others, path);
    addFile(path, {}, files);
    for (const std::string& one : given) { missing.erase(one); }
    any = true;
  }
  return any;
}

}  // namespace

ProgramRun runLinked(ProgramFiles& files, const RunOptions& options) {
  ProgramRun result = run(files.program, options);
  for (int round = 0; round < kMostRounds && link(files, undefinedIn(result)); ++round) {
    result = run(files.program, options);
  }
  return result;
}

}  // namespace haloscope::running
