#pragma once

#include <optional>
#include <string>

#include "program/SourceLocation.h"

namespace haloscope::checking {

/// A macro whose replacement is a sum without parentheses, and which is used as an operand of `*`, `/` or `%`.
struct MacroHazard {
  std::string name, replacement;
  SourceRange where;  ///< of the #define
  SourceRange used;   ///< the name, in the product
};

/// The first such macro of a text.
[[nodiscard]] std::optional<MacroHazard> findMacroHazard(const std::string& text);

}  // namespace haloscope::checking
