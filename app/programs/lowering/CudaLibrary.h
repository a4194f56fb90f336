#pragma once

#include <string>
#include <string_view>

#include "lowering/Lowering.h"

namespace haloscope::lowering {

/// Whether the text, or a header that it includes, has a word.
[[nodiscard]] bool mentions(const std::string& text, const CompileOptions& options, std::string_view word);

/// The replacements of those of CUDA's headers for groups of threads, clusters and asynchronous copies that the text
/// names, as the front end reads them. A text that logs its execution, with kLogPrelude in its prologue, gets those
/// that log what they do.
[[nodiscard]] std::string cudaLibrary(const std::string& text, const CompileOptions& options);
/// The same for NVIDIA's compiler, which log.
[[nodiscard]] std::string loggedCudaLibrary(const std::string& text, const CompileOptions& options);

}  // namespace haloscope::lowering
