#pragma once

#include "host/HostProgram.h"

namespace haloscope::running {

/// The program without its own definitions of the macros that are given: `-D N=64` counts in both of its halves, also
/// where the text has `#define N 512`. Everything else keeps its place.
[[nodiscard]] host::HostProgram withGivenMacros(host::HostProgram program);

}  // namespace haloscope::running
