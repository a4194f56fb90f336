#pragma once

#include <string>
#include <vector>

#include "faults/Finding.h"

/// Changes of a text that mend a kernel.
namespace haloscope::checking {

/// The text with these edits, which do not overlap.
[[nodiscard]] std::string withEdits(const std::string& text, std::vector<faults::TextEdit> edits);

/// Where a token, as "<=", "threadIdx.x" or a name, stands in a part of a text; comments and literals are not looked at
/// apart, as whoever asks executes the changed text.
[[nodiscard]] std::vector<SourceRange> placesOf(const std::string& text, const SourceRange& within,
                                                const std::string& token);

}  // namespace haloscope::checking
