#pragma once

#include "program/Program.h"

namespace haloscope::machine {

/// What a kernel does the same way in every launch of one shape, whatever its arrays hold.
struct ShapeDependence {
  bool control = false;  ///< which instructions its lanes execute: every launch has the same profile
  bool stores = false;   ///< control, and which elements it stores to
};

[[nodiscard]] ShapeDependence dependenceOf(const Program& program);

}  // namespace haloscope::machine
