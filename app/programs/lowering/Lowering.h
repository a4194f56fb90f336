#pragma once

#include <string>

#include "frontend/Frontend.h"
#include "frontend/Messages.h"

/// Clang: parses CUDA C++ and lowers one kernel to a Program. Used where a stranger's text may do harm, in a process of
/// its own (ServeCompiler.h); what the rest of the program calls is frontend/Frontend.h, whose types these are.
namespace haloscope::lowering {

using frontend::CompileError;
using frontend::CompileOptions;
using frontend::CompileResult;
using frontend::DeviceText;
using frontend::Diagnostic;
using frontend::InstrumentedText;
using frontend::KernelSummary;
using frontend::NoSuchKernel;
using frontend::TextSummary;

/// See the functions of the same names in frontend/Frontend.h.
[[nodiscard]] CompileResult compile(const std::string& file, const std::string& text, const CompileOptions& options);
[[nodiscard]] TextSummary summarize(const std::string& text, const CompileOptions& options);
[[nodiscard]] DeviceText deviceText(const std::string& file, const std::string& text, const CompileOptions& options);
[[nodiscard]] InstrumentedText instrument(const std::string& file, const std::string& text,
                                          const CompileOptions& options);

/// Whichever of them is asked for, on this thread, whose stack must be large: Clang and the lowering recurse over
/// nested code. Does not throw: a text that cannot be lowered is a Refusal.
[[nodiscard]] frontend::Answer answer(const frontend::Request& request);

}  // namespace haloscope::lowering
