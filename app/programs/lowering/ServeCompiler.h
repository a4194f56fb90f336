#pragma once

#include <optional>

/// The processes in which Clang reads texts, from the inside; the other side is frontend/CompilerProcess.h.
namespace haloscope::lowering {

/// If the arguments of main() are those of frontend::kCompilerCommand, or of machine::kKernelCommand: serves, and
/// returns the exit status. To be called first in the main() of every program that uses frontend/Frontend.h.
[[nodiscard]] std::optional<int> serveIfAsked(int count, const char* const* arguments);

}  // namespace haloscope::lowering
