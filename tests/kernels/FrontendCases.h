#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "frontend/Frontend.h"

namespace haloscope::test {

/// A kernel text that is a test case: what it says in its comments is what the front end has to make of it.
struct FrontendCase {
  std::filesystem::path path;
  std::string name;
  std::string text;
  frontend::CompileOptions options;  ///< of a line "// options: -DNAME=VALUE -kernel=NAME"

  [[nodiscard]] frontend::CompileResult compile() const { return frontend::compile(name + ".cu", text, options); }
};

/// All .cu files of a folder beside this file, by name.
[[nodiscard]] std::vector<FrontendCase> casesIn(const std::string& folder);

/// The lines of a listing without the number before an instruction and its place after it.
[[nodiscard]] std::vector<std::string> bareListing(const Program& program);

}  // namespace haloscope::test
