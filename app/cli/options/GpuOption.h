#pragma once

#include <string>
#include <vector>

#include "figures/CodeReport.h"
#include "measuring/GpuSpecs.h"
#include "options/CliForward.h"
#include "running/ProgramRun.h"

namespace haloscope {

/// The device that an executed program sees: a GPU of assets/gpus.json, the rest by its compute capability.
[[nodiscard]] running::RunDevice runDevice(const measuring::GpuSpec& gpu);

/// How the command line executes programs. Throws InputError if the program's own files are missing.
[[nodiscard]] running::RunOptions runOptions(const measuring::GpuSpec& gpu);

/// The GPU of assets/gpus.json that numbers are for: --gpu and --arch.
struct GpuOption {
  std::string gpu;           ///< part of a name in assets/gpus.json
  std::string architecture;  ///< "sm_86"; only one of the two may be given

  /// Adds both options; `prefix` precedes their help texts. `this` must outlive the command.
  void addTo(CLI::App& command, const std::string& prefix = {});
  [[nodiscard]] bool given() const { return !gpu.empty() || !architecture.empty(); }

  /// Its place among these GPUs: the first of that name or architecture, the default one if nothing is given. Throws
  /// InputError where there is none.
  [[nodiscard]] int indexAmong(const std::vector<measuring::GpuSpec>& specs) const;
  /// What code is compiled for on it; an architecture need not be that of a GPU in the file. Throws InputError.
  [[nodiscard]] figures::CodeTarget codeTarget() const;
};

}  // namespace haloscope
