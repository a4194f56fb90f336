#include "running/LinkedFiles.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend/SourceTokens.h"
#include "language/Text.h"
#include "opening/OpenedFile.h"
#include "opening/OpenedFolder.h"
#include "program/SourceLocation.h"

namespace haloscope::running {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostLinked = 32, kMostParts = 64;
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

/// A source that may belong to a program, and what it defines.
struct Part {
  fs::path path;
  std::set<std::string> defines;
};

/// Of sources those that can be read and have no main().
std::vector<Part> partsAmong(const std::vector<fs::path>& sources) {
  std::vector<Part> parts;
  for (const fs::path& path : sources) {
    if (parts.size() == kMostParts) { break; }
    try {
      const std::string text = opening::readOpenedText(path);
      if (!definesMain(text)) { parts.push_back({path, definedIn(text)}); }
    } catch (const InputError&) { continue; }  // it is no part of the program then
  }
  return parts;
}

/// Beside a single file, in the folders there, and beside the headers that it includes.
std::vector<Part> partsBeside(const ProgramFiles& files) {
  const fs::path home = files.folder.empty() ? fs::path(".") : files.folder;
  std::set<fs::path> sources;
  const auto add = [&](const fs::path& folder, int depth) {
    try {
      for (const fs::path& one : opening::filesIn(folder, kSourceExtensions, depth)) {
        sources.insert((files.folder / one.lexically_relative(home)).lexically_normal());
      }
    } catch (const InputError&) {
      return;
    }  // too many files, or a folder that cannot be listed: what is missing is said
  };
  add(home, 1);
  for (const auto& [name, text] : files.program.headers) { add((home / name).parent_path(), 0); }
  for (const host::HostProgram::File& file : files.program.files) {
    sources.erase((files.folder / file.name).lexically_normal());
  }
  return partsAmong({sources.begin(), sources.end()});
}

/// Adds the files that define what is missing, those first that define the most of it; their names. Where two define as
/// much, which one is meant is not known, and none is added.
std::vector<std::string> link(ProgramFiles& files, std::vector<Part>& parts, std::set<std::string> missing) {
  std::vector<std::string> linked;
  while (!missing.empty() && files.program.files.size() < kMostLinked) {
    auto best = parts.end();
    std::set<std::string> given;
    bool ambiguous = false;
    for (auto part = parts.begin(); part != parts.end(); ++part) {
      std::set<std::string> common;
      std::ranges::set_intersection(part->defines, missing, std::inserter(common, common.end()));
      if (common.empty() || common.size() < given.size()) { continue; }
      ambiguous = common == given;
      if (common.size() == given.size()) { continue; }
      best = part;
      given = std::move(common);
    }
    if (best == parts.end()) { break; }
    for (const std::string& one : given) { missing.erase(one); }
    if (ambiguous) { continue; }
    addFile(best->path, {}, files);
    linked.push_back(files.program.files.back().name);
    parts.erase(best);
  }
  return linked;
}

/// The files of a folder that cannot all be of one program, since several define the same: that with main() alone.
void takeApart(ProgramFiles& files) {
  auto& all = files.program.files;
  const auto main = std::ranges::find_if(all, [](const auto& one) { return definesMain(one.text); });
  if (main == all.end()) { return; }
  std::swap(*main, all.front());
  for (const auto& one : std::span(all).subspan(1)) { files.others.push_back(files.folder / one.name); }
  all.resize(1);
}

}  // namespace

ProgramRun runLinked(ProgramFiles& files, const RunOptions& options) {
  ProgramRun result = run(files.program, options);
  if (files.program.files.size() > 1 && std::ranges::any_of(result.problems, &host::HostDiagnostic::isClash)) {
    takeApart(files);
    result = run(files.program, options);
  }
  std::vector<std::string> linked;
  std::optional<std::vector<Part>> parts;
  for (int round = 0; round < kMostRounds; ++round) {
    const std::set<std::string> missing = undefinedIn(result);
    if (missing.empty()) { break; }
    if (!parts && files.others.empty() && files.program.files.size() > 1) { break; }  // a whole folder
    if (!parts) { parts = files.others.empty() ? partsBeside(files) : partsAmong(files.others); }
    const std::vector<std::string> more = link(files, *parts, missing);
    if (more.empty()) { break; }
    linked.insert(linked.end(), more.begin(), more.end());
    result = run(files.program, options);
  }
  if (!linked.empty()) {
    result.linkedText = trf("It is linked with {}, which {} what it uses.", fmt::join(linked, ", "),
                            linked.size() == 1 ? tr("defines") : tr("define"));
  }
  return result;
}

}  // namespace haloscope::running
