#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "catalogue/KernelFile.h"
#include "opening/ExecutedLaunch.h"
#include "running/ProgramFiles.h"
#include "running/ProgramRun.h"

namespace haloscope {

/// How an executed program launches its kernels.
struct ProgramLaunches {
  std::vector<opening::ExecutedLaunch> launches{};       ///< the first one of each kernel
  std::map<std::filesystem::path, std::string> texts{};  ///< that have other sizes than their files
  /// What their arrays held, by the kernel's name as it was launched: "heat::sweep<8>". Not of all.
  std::map<std::string, std::shared_ptr<const LaunchData>> data{};
};

struct ProgramOptions;

/// Executes the program of a file, without any check of its kernels; no launches without a main(). Prints a note if the
/// program makes none, and if it was executed with a smaller size. `macros`: as after -D. Throws InputError, also for
/// options of a program that is not there.
[[nodiscard]] ProgramLaunches launchesOfProgram(const std::filesystem::path& path, const ProgramOptions& program,
                                                const std::map<std::string, std::string>& macros,
                                                std::optional<std::size_t> selected = {});

}  // namespace haloscope
