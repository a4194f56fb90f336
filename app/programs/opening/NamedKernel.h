#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace haloscope::opening {

/// A kernel as a command line names it: FILE.cu or FILE.cu:KERNEL.
struct NamedKernel {
  std::filesystem::path file;  ///< also a folder, as it is
  std::string kernel;          ///< empty: all of the file's
};

/// Splits FILE.cu:KERNEL. A colon elsewhere is part of the file's name.
[[nodiscard]] NamedKernel namedKernel(std::string_view text);

}  // namespace haloscope::opening
