#pragma once

#include <cstdint>

#include "field/FieldPreparation.h"
#include "state/Playground.h"

namespace haloscope::field {

/// Prepares a field and sweeps it, on the GPU of the request or on the emulator, without OpenGL. Waits. Throws as
/// prepareField(), and gpu::Error.
[[nodiscard]] PlayedField playField(const FieldRequest& request, std::int64_t sweeps);

}  // namespace haloscope::field
