#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "opening/ExecutedLaunch.h"

namespace haloscope {

/// How an executed program launches its kernels.
struct ProgramLaunches {
  std::vector<opening::ExecutedLaunch> launches{};       ///< the first one of each kernel
  std::map<std::filesystem::path, std::string> texts{};  ///< that have other sizes than their files
};

/// Executes the program of a file, without any check of its kernels; no launches without a main(). Prints a note if the
/// program makes none. `macros`: as after -D. Throws InputError.
[[nodiscard]] ProgramLaunches launchesOfProgram(const std::filesystem::path& path,
                                                const std::map<std::string, std::string>& macros);

}  // namespace haloscope
