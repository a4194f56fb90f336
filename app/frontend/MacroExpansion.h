#pragma once

#include <string>

#include "frontend/Frontend.h"

namespace haloscope::frontend {

/// A text with the macros of its own, and those that are given, expanded where they are used; the prelude's stay. Lines
/// keep their numbers. Directives stay as well.
[[nodiscard]] std::string expandMacros(const std::string& text, const CompileOptions& options);

}  // namespace haloscope::frontend
