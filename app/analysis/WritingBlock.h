#pragma once

#include <cstdint>
#include <optional>

#include "program/Launch.h"
#include "program/Program.h"

namespace haloscope::analysis {

/// The block that writes an element, the last of the grid if several do; nothing if none does. Executes the grid;
/// `launch` is used up. Throws InputError as simt::execute does.
[[nodiscard]] std::optional<Dim3> blockWriting(const Program& program, Launch launch, ObjectId object,
                                               std::int64_t element);

}  // namespace haloscope::analysis
