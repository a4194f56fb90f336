#pragma once

#include <string>

#include "program/SourceLocation.h"

namespace haloscope {

/// What went wrong with the last request. The last good experiment stays on screen.
struct Problem {
  std::string message;  ///< one line: "47:12: " and what, where it has a place in the text
  SourceRange where;    ///< marks the line in the source panel when valid
  std::string text;     ///< the text the range refers to, when it differs from the experiment's
};

}  // namespace haloscope
