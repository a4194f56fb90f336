#pragma once

#include <string>

#include "program/Launch.h"

namespace haloscope::tables {

/// An array as the bytes of a NumPy file (.npy, version 1.0), in its type and shape.
[[nodiscard]] std::string npyBytes(const ArrayData& array);

}  // namespace haloscope::tables
