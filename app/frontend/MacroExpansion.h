#pragma once

#include <string>

#include "frontend/Frontend.h"

namespace haloscope::frontend {

/// A text to be rewritten: with the macros of its own, and those that are given, expanded where they are used, so that
/// each expression has a place. The prelude's stay, with their arguments. Hints to unroll a loop are gone: a statement
/// may be put before the loop, and the hint changes no value. Lines keep their numbers; other directives stay.
[[nodiscard]] std::string expandMacros(const std::string& text, const CompileOptions& options);

}  // namespace haloscope::frontend
