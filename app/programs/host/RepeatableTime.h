#pragma once

#include "host/Guest.h"

namespace haloscope::host {

/// Clocks and random devices of the C and C++ libraries that tell a program the same in every run of it.
[[nodiscard]] GuestSymbols repeatableTime();

}  // namespace haloscope::host
