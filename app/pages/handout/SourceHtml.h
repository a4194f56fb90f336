#pragma once

#include <string>

namespace haloscope::handout {

/// The lines of a source from `first` up to before `end`, counted from 1: list items with the tokens in spans whose
/// classes name their kinds; data-bytes is as lineHtml() has it.
[[nodiscard]] std::string sourceLines(const std::string& text, int first, int end);

}  // namespace haloscope::handout
