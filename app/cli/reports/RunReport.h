#pragma once

#include <nlohmann/json_fwd.hpp>

#include "options/ProgramOptions.h"
#include "running/ProgramFiles.h"
#include "running/ProgramRun.h"

/// What `haloscope run` says about a program.
namespace haloscope {

/// What the program printed, then its launches, what was found, and how it ended.
void printProgram(const running::ProgramRun& run, const running::ProgramFiles& files, const ProgramOptions& options);
[[nodiscard]] nlohmann::ordered_json programJson(const running::ProgramRun& run, const running::ProgramFiles& files);

}  // namespace haloscope
