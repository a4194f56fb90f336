#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "program/ResourceFolder.h"

namespace haloscope::gpu {

/// Texts that do not ship as variants: student-style programs and the bug lab's, by a name that a test can have. Of the
/// source tree, or of the folder that pack.sh made.
inline std::map<std::string, std::filesystem::path> othersTexts() {
  namespace fs = std::filesystem;
  const fs::path source(HALOSCOPE_SOURCE_DIR);
  const fs::path styles = source / "tests/kernels/styles";
  std::map<std::string, fs::path> found;
  std::error_code error;
  for (const auto& one :
       fs::directory_iterator(fs::is_directory(styles) ? styles : resourceFolder("styles", {}), error)) {
    if (one.path().extension() == ".cu") { found["styles_" + one.path().stem().string()] = one.path(); }
  }
  const fs::path lab = source / "assets/buglab";
  for (const auto& one :
       fs::directory_iterator(fs::is_directory(lab) ? lab : resourceFolder("assets", {}) / "buglab", error)) {
    for (const char* which : {"faulty", "fixed"}) {
      const fs::path path = one.path() / (std::string(which) + ".cu");
      if (fs::exists(path)) { found[one.path().stem().string() + "_" + which] = path; }
    }
  }
  return found;
}

inline std::vector<std::string> namesOfOthersTexts() {
  std::vector<std::string> names;
  for (const auto& [name, path] : othersTexts()) { names.push_back(name); }
  return names;
}

}  // namespace haloscope::gpu
