#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "FaultSupport.h"
#include "GpuSupport.h"
#include "opening/OpenedFile.h"
#include "running/ProgramFiles.h"
#include "running/ProgramRun.h"

namespace haloscope::gpu {

/// Texts that do not ship as variants: student-style programs and the bug lab's, by a name that a test can have.
inline std::map<std::string, std::filesystem::path> othersTexts() {
  namespace fs = std::filesystem;
  std::map<std::string, fs::path> found;
  for (const auto& one : fs::directory_iterator(shipped("tests/kernels/styles"))) {
    if (one.path().extension() == ".cu") { found["styles_" + one.path().stem().string()] = one.path(); }
  }
  for (const auto& one : fs::directory_iterator(shipped("assets/buglab"))) {
    for (const char* which : {"faulty", "fixed"}) {
      const fs::path path = one.path() / (std::string(which) + ".cu");
      if (fs::exists(path)) { found[one.path().stem().string() + "_" + which] = path; }
    }
  }
  return found;
}

/// How programs are executed for their launches.
inline running::RunOptions runOptions() {
  namespace fs = std::filesystem;
  running::RunOptions options;
  options.executable = theProgram();
  const fs::path beside = theProgram().parent_path();
  const fs::path headers = fs::path("assets") / "clang" / "include";
  options.compilerHeaders =
      fs::exists(beside / headers) ? beside / headers : beside / ".." / "share/haloscope" / headers;
  options.device.properties = {{"major", 9},
                               {"multiProcessorCount", 4},
                               {"totalGlobalMem", std::int64_t{1} << 34},
                               {"sharedMemPerBlock", 48 << 10},
                               {"sharedMemPerBlockOptin", 99 << 10},
                               {"sharedMemPerMultiprocessor", 100 << 10}};
  return options;
}

/// One of them, with the launches of its program if it has a main(). Several tests of a process open the same ones,
/// whose programs are executed once.
inline opening::OpenedFile openedText(const std::string& name) {
  static std::map<std::string, opening::OpenedFile> opened;
  if (const auto known = opened.find(name); known != opened.end()) { return known->second; }
  const std::filesystem::path path = othersTexts().at(name);
  opening::LaunchOverrides overrides;
  const running::ProgramFiles files = running::readProgram(path);
  if (running::definesMain(files.program.files.front().text)) {
    overrides.executed = running::run(files.program, runOptions()).facts();
  }
  return opened.try_emplace(name, opening::openFile(path, overrides)).first->second;
}

inline std::vector<std::string> namesOfOthersTexts() {
  std::vector<std::string> names;
  for (const auto& [name, path] : othersTexts()) { names.push_back(name); }
  return names;
}

}  // namespace haloscope::gpu
