#include "running/ProgramFiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "frontend/SourceTokens.h"
#include "language/Text.h"
#include "opening/LocalHeaders.h"
#include "opening/OpenedFile.h"
#include "opening/OpenedFolder.h"
#include "program/SourceLocation.h"

namespace haloscope::running {

using namespace std::string_view_literals;

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxFiles = 64;

}  // namespace

void addFile(const fs::path& path, const std::map<fs::path, std::string>& edited, ProgramFiles& files) {
  const auto text = edited.find(path);
  host::HostProgram::File file{.name = path.lexically_relative(files.folder).string(),
                               .text = text != edited.end() ? text->second : opening::readOpenedText(path)};
  files.program.headers =
      opening::localHeaders(path.parent_path(), file.text, edited, std::move(files.program.headers), files.folder);
  files.program.files.push_back(std::move(file));
}

std::map<fs::path, std::string> changedTexts(const ProgramFiles& files, const host::HostProgram& changed) {
  std::map<fs::path, std::string> texts;
  const auto add = [&](const std::string& name, const std::string& before, const std::string& now) {
    if (now != before) { texts[(files.folder / name).lexically_normal()] = now; }
  };
  for (std::size_t i = 0; i < changed.files.size(); ++i) {
    add(changed.files[i].name, files.program.files.at(i).text, changed.files[i].text);
  }
  for (const auto& [name, text] : changed.headers) { add(name, files.program.headers.at(name), text); }
  return texts;
}

bool definesMain(const std::string& text) {
  const frontend::SourceTokens tokens(text);
  int depth = 0;
  const auto& code = tokens.code();
  for (std::size_t i = 0; i + 1 < code.size(); ++i) {
    const std::string_view word = code[i].spelling;
    if (word == "{") { ++depth; }
    if (word == "}") { --depth; }
    if (depth != 0 || word != "main" || code[i + 1].spelling != "(") { continue; }
    // A definition has a body, a declaration ends before one.
    for (std::size_t j = i + 1; j < code.size() && code[j].spelling != ";"; ++j) {
      if (code[j].spelling == "{") { return true; }
    }
  }
  return false;
}

bool definesMain(const host::HostProgram& program) {
  return std::ranges::any_of(program.files, [](const auto& file) { return definesMain(file.text); });
}

ProgramFiles readProgram(const fs::path& fileOrFolder, const std::map<fs::path, std::string>& edited) {
  ProgramFiles files;
  std::error_code error;
  if (!fs::is_directory(fileOrFolder, error)) {
    files.folder = fileOrFolder.parent_path();
    addFile(fileOrFolder, edited, files);
    return files;
  }
  files.folder = fileOrFolder;
  const std::vector<fs::path> sources = opening::filesIn(fileOrFolder, kSourceExtensions);
  if (sources.empty()) { throw InputError(trf("{} has no .cu file", fileOrFolder.string())); }
  if (sources.size() > kMaxFiles) {
    throw InputError(trf("{} has {} source files; at most {} are linked as one program", fileOrFolder.string(),
                         sources.size(), kMaxFiles));
  }
  std::string mains;
  int count = 0;
  for (const fs::path& path : sources) {
    addFile(path, edited, files);
    if (!definesMain(files.program.files.back().text)) { continue; }
    mains += fmt::format("{}{}", count == 0 ? "" : ", ", files.program.files.back().name);
    ++count;
  }
  if (count > 1) {
    throw InputError(
        trf("{} has {} programs, each with its own main(): {}; run one of them", fileOrFolder.string(), count, mains));
  }
  return files;
}

std::vector<ProgramFiles> readPrograms(const fs::path& folder) {
  std::vector<fs::path> mains;
  std::vector<fs::path> others;
  for (const fs::path& path : opening::filesIn(folder, kSourceExtensions)) {
    (definesMain(opening::readOpenedText(path)) ? mains : others).push_back(path);
  }
  std::vector<ProgramFiles> programs;
  for (const fs::path& main : mains) {
    ProgramFiles& files = programs.emplace_back();
    files.folder = folder;
    addFile(main, {}, files);
    files.others = others;
  }
  return programs;
}

}  // namespace haloscope::running
