#pragma once

#include <cstdint>

#include "program/Launch.h"
#include "program/Program.h"

namespace haloscope {

/// Elements of an object in a launch; of a Local object, of one thread's copy.
[[nodiscard]] std::int64_t elementCount(const Program& program, const Launch& launch, ObjectId object);

/// All of its bytes, even if they are not a multiple of the element size.
[[nodiscard]] std::int64_t byteCount(const Program& program, const Launch& launch, ObjectId object);

}  // namespace haloscope
