#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace haloscope::test {

inline std::string readFile(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

inline void writeFile(const std::filesystem::path& path, const std::string& text) { std::ofstream(path) << text; }

}  // namespace haloscope::test
