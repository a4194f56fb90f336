#pragma once

#include <filesystem>

#include "LoggedKernel.h"

namespace haloscope::fuzz {

/// What a block of a small launch of a kernel of a text logs, if the emulator executes the text that is made for GPUs.
/// Throws UserError where the kernel cannot be recorded on a GPU, or launched like this.
[[nodiscard]] LoggedKernel loggedKernel(const std::filesystem::path& text, const Program& program);

}  // namespace haloscope::fuzz
