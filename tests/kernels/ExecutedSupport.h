#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "opening/OpenedFile.h"
#include "running/ProgramFiles.h"
#include "running/ProgramRun.h"

namespace haloscope::test {

/// The first launch of each kernel, by executing a program.
inline std::vector<opening::ExecutedLaunch> launchesOf(const host::HostProgram& program) {
  running::RunOptions options;
  options.executable = HALOSCOPE_BINARY;
  options.compilerHeaders = std::filesystem::path(HALOSCOPE_BINARY).parent_path() / "assets" / "clang" / "include";
  return running::run(program, options).facts();
}

/// Opens a text with the launches of its program.
inline opening::OpenedFile openExecuted(const std::string& text, opening::LaunchOverrides overrides = {}) {
  host::HostProgram program;
  program.files.push_back({"student.cu", text});
  overrides.executed = launchesOf(program);
  return opening::openText("student.cu", text, overrides);
}

/// The same for a file. Several tests of a process open the same ones, whose programs are executed once.
inline opening::OpenedFile openExecuted(const std::filesystem::path& path) {
  static std::map<std::filesystem::path, opening::OpenedFile> opened;
  const auto known = opened.find(path);
  if (known != opened.end()) { return known->second; }
  opening::LaunchOverrides overrides;
  const running::ProgramFiles files = running::readProgram(path);
  if (running::definesMain(files.program.files.front().text)) { overrides.executed = launchesOf(files.program); }
  return opened.try_emplace(path, opening::openFile(path, overrides)).first->second;
}

}  // namespace haloscope::test
