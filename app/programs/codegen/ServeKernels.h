#pragma once

#include <optional>

namespace haloscope::codegen {

/// If the arguments of main() are those of machine::kKernelCommand: serves kernels, each in a process of its own that
/// is confined before it reads anything, and returns the exit status.
[[nodiscard]] std::optional<int> serveKernelsIfAsked(int count, const char* const* arguments);

}  // namespace haloscope::codegen
