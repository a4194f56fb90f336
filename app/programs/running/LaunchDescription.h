#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "running/DeviceMemory.h"
#include "running/HostFindings.h"
#include "running/LaunchBinding.h"
#include "running/ProgramRun.h"

namespace haloscope::running {

/// Writes down what a launch is given: its pointers, variables, numbers, and what they say for opening::openFile. A
/// pointer that no kernel can use becomes a finding.
void describe(ProgramLaunch& launch, const BoundLaunch& bound, const DeviceMemory& memory, HostFindings& findings);

/// See opening::ExecutedLaunch::integers.
[[nodiscard]] std::shared_ptr<const std::map<std::string, std::vector<std::byte>>> integersOf(const BoundLaunch& bound);

/// What a launch is the same as another in: kernel, configuration, and which parameters share an array.
[[nodiscard]] std::string shapeOf(const ProgramLaunch& launch);

/// A launch with a copy of its arrays.
[[nodiscard]] KeptLaunch keptOf(const BoundLaunch& bound);

}  // namespace haloscope::running
