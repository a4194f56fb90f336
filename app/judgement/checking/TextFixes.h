#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "faults/Finding.h"

/// Changes of a text that mend a kernel.
namespace haloscope::checking {

/// The text with these edits, which do not overlap.
[[nodiscard]] std::string withEdits(const std::string& text, std::vector<faults::TextEdit> edits);

/// Lines that edits change.
struct ChangedLines {
  std::size_t first = 0;  ///< the first of them, from 0
  std::vector<std::string> before, after;
};
[[nodiscard]] ChangedLines changedLines(const std::string& text, const std::vector<faults::TextEdit>& edits);

/// Where a token such as "<=", "threadIdx.x" or a name occurs in a part of a text, also in comments and literals: the
/// caller executes the changed text, which shows whether a place was the right one.
[[nodiscard]] std::vector<SourceRange> placesOf(const std::string& text, const SourceRange& within,
                                                const std::string& token);

}  // namespace haloscope::checking
