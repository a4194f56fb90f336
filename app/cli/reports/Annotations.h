#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "judging/CheckedKernel.h"

/// What `haloscope check` finds, in forms that show it beside the lines of a change.
namespace haloscope {

/// A log in SARIF 2.1.0: a result for each thing that is said of a place, with its fix; what could not be executed is
/// among the invocation's notifications. Paths are relative to the current folder where they are in it.
[[nodiscard]] nlohmann::ordered_json sarifOf(const std::vector<judging::CheckedKernel>& kernels);

/// A workflow command of GitHub Actions for each: "::error file=heat.cu,line=12,title=race-shared::…".
[[nodiscard]] std::string githubAnnotations(const std::vector<judging::CheckedKernel>& kernels);

}  // namespace haloscope
