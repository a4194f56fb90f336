#pragma once

#include <filesystem>

#include "live/ProgramRunner.h"
#include "options/GpuOption.h"
#include "running/LinkedFiles.h"
#include "running/ProgramRun.h"

namespace haloscope::test {

/// The programs of opened files are executed, by the program that is built beside the tests.
inline ProgramRunner::Execution executedPrograms() {
  return {[](const measuring::GpuSpec& gpu) {
            running::RunOptions options = runOptions(gpu);
            options.executable = HALOSCOPE_BINARY;
            options.compilerHeaders =
                std::filesystem::path(HALOSCOPE_BINARY).parent_path() / "assets" / "clang" / "include";
            return options;
          },
          running::runLinked};
}

}  // namespace haloscope::test
