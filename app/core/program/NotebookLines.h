#pragma once

#include <string>
#include <vector>

namespace haloscope {

/// Lines of a text that are not its language's: the magic of a notebook's cell (`%%cu`, `%%writefile heat.cu`), a
/// command of its shell (`!nvcc heat.cu`), and the fence around a text that was copied from a page (three backquotes).
/// Numbers from 1.
[[nodiscard]] std::vector<int> notebookLines(const std::string& text);

/// The text with blanks instead of these lines: all others keep their places.
[[nodiscard]] std::string withoutNotebookLines(std::string text);

/// "Line 1 is a notebook's, not the program's, and is not read."; empty: it has none.
[[nodiscard]] std::string notebookNote(const std::string& text);

}  // namespace haloscope
