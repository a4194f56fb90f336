#pragma once

#include <cstdint>
#include <string>

#include "program/Program.h"

namespace haloscope::analysis {

/// An element as the text would write it: "in_s[3][0]" for an array declared with extents, "in[1057]" for a pointer.
/// An index outside the array is given linearly, "in_s[66]".
[[nodiscard]] std::string elementName(const Program& program, ObjectId object, std::int64_t index);

}  // namespace haloscope::analysis
