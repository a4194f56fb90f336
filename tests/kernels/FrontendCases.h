#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "frontend/Frontend.h"

namespace haloscope::test {

/// A kernel source as a test case, with the expected result of the front end in its comments.
struct FrontendCase {
  std::filesystem::path path;
  std::string name;
  std::string text;
  frontend::CompileOptions options;  ///< of a line "// options: -DNAME=VALUE -kernel=NAME"

  [[nodiscard]] frontend::CompileResult compile() const { return frontend::compile(name + ".cu", text, options); }
};

/// All .cu files of a folder next to this file, by name.
[[nodiscard]] std::vector<FrontendCase> casesIn(const std::string& folder);

/// The lines of a listing without instruction numbers and source positions.
[[nodiscard]] std::vector<std::string> bareListing(const Program& program);

}  // namespace haloscope::test
