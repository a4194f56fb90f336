#pragma once

#include "opening/KernelReading.h"
#include "state/AppState.h"

namespace haloscope {

/// The request for a choice of a kernel whose text is that of its file.
[[nodiscard]] opening::Request requestOf(const KernelFile& file, experiment::Choice choice);

/// The request for a choice in the window: the kernel's text as it was edited, and its launch as it was set. The
/// text is read again where the catalogue's entry is of another text or launch. Throws InputError if the catalogue has
/// no such kernel.
[[nodiscard]] opening::Request requestOf(const AppState& state, const experiment::Choice& choice);

}  // namespace haloscope
