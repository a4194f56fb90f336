#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "GpuSupport.h"

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

inline std::vector<std::string> namesOfOthersTexts() {
  std::vector<std::string> names;
  for (const auto& [name, path] : othersTexts()) { names.push_back(name); }
  return names;
}

}  // namespace haloscope::gpu
