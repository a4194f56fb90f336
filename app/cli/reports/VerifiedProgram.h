#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "catalogue/KernelFile.h"
#include "driver/Device.h"
#include "measuring/LaunchOnGpu.h"
#include "options/ExitCode.h"
#include "running/ProgramFiles.h"
#include "running/ProgramRun.h"

/// A whole program whose launches are executed on the GPU, too.
namespace haloscope {

/// `haloscope verify --recording`: records blocks of each file, at its entry of `bindings`, on the emulator and on the
/// GPU, and compares them. Throws MissingError without a GPU.
ExitCode verifyRecordings(const std::vector<KernelFile>& files, const std::vector<Bindings>& bindings, bool json);

/// A launch of the program, executed on the emulator and, where that found no fault, on the GPU with the same data.
struct VerifiedLaunch {
  std::size_t number = 0;  ///< from 1
  std::string kernel, file;
  int line = 0;  ///< of the launch
  LaunchConfiguration configuration;
  std::vector<std::string> arrays;  ///< that the kernel may write: names of parameters and variables
  bool faulty = false;              ///< the emulator found a fault, or the GPU failed, as `message` tells
  std::string message;              ///< why there is no result of the GPU; empty: there is one, or no GPU
  std::optional<measuring::LaunchOnGpu> onGpu;

  [[nodiscard]] bool failed() const { return faulty || (onGpu && !onGpu->pass()); }
};

struct VerifyLimits {
  std::size_t launches = 20;           ///< the first ones of the program
  std::uint64_t warpInstructions = 0;  ///< of a launch under all checks; 0: as for any check
};

/// Executes the program, and each launch, as far as `limits` allow, under all checks. The GPU is given those without a
/// fault, each with the arrays, scalars and constants that the program has given it. `device`: null: the emulator
/// alone. `tell` is called after each launch.
[[nodiscard]] running::ProgramRun verifyProgram(running::ProgramFiles files, running::RunOptions options,
                                                const std::shared_ptr<const gpu::Device>& device,
                                                const VerifyLimits& limits,
                                                const std::function<void(const VerifiedLaunch&)>& tell);

}  // namespace haloscope
