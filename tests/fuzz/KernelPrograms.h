#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "program/Program.h"

namespace haloscope::fuzz {

struct KernelProgram {
  std::string name;  ///< of the text and the kernel
  Program program;
};

/// The kernels of a text that can be lowered, as they are where its program is executed.
[[nodiscard]] std::vector<KernelProgram> programsOf(const std::filesystem::path& text);

/// The texts of the repository in these folders of it, in the order of their names.
[[nodiscard]] std::vector<std::filesystem::path> textsIn(const std::vector<std::string>& folders);

}  // namespace haloscope::fuzz
