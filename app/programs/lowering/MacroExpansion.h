#pragma once

#include <string>

#include "lowering/Lowering.h"

namespace haloscope::lowering {

/// A text prepared for rewriting: its own macros, and those that are given, are expanded where they are used, so that
/// each expression has a place. Macros of the prelude stay, with their arguments. Hints to unroll loops are removed,
/// since a statement may be inserted between the hint and the loop; they change no value. Lines keep their numbers;
/// other directives stay.
[[nodiscard]] std::string expandMacros(const std::string& text, const CompileOptions& options);

}  // namespace haloscope::lowering
