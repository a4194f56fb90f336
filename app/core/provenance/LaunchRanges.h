#pragma once

#include <cstdint>

#include "program/Launch.h"
#include "program/Program.h"
#include "provenance/Interval.h"

namespace haloscope::provenance {

/// The interval of one value.
[[nodiscard]] Interval constantRange(ValueType type, std::uint64_t bits);
/// What a register of an integer can hold when a kernel begins: constants, indices and sizes of the launch.
[[nodiscard]] Interval rangeAtLaunch(const Register& reg, const LaunchConfiguration& configuration);

}  // namespace haloscope::provenance
