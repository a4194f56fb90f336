#include "program/NotebookLines.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <string_view>

#include "language/Text.h"

namespace haloscope {

namespace {

/// After the exclamation mark. None of them can begin a line of C++ there: what follows is a blank, or the line's end.
constexpr std::array<std::string_view, 9> kCommands{"nvcc", "nvidia-smi",       "pip", "apt", "apt-get", "git", "ncu",
                                                    "nsys", "compute-sanitizer"};

bool isOfNotebook(std::string_view line) {
  while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) { line.remove_prefix(1); }
  if (line.starts_with("```")) { return true; }
  if (line.starts_with("%%")) { return line.size() > 2 && std::isalpha(static_cast<unsigned char>(line[2])) != 0; }
  if (line.starts_with("%load_ext ")) { return true; }
  if (!line.starts_with('!')) { return false; }
  line.remove_prefix(1);
  if (line.starts_with("./")) { return true; }
  return std::ranges::any_of(kCommands, [&](std::string_view command) {
    return line.starts_with(command) && (line.size() == command.size() || line[command.size()] == ' ');
  });
}

/// Calls `take` with the number, the begin and the end of each such line.
template <typename Take>
void forEachLine(const std::string& text, Take take) {
  int number = 1;
  for (std::size_t begin = 0; begin < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::size_t last = end;
    if (last > begin && text[last - 1] == '\r') { --last; }
    if (isOfNotebook(std::string_view(text).substr(begin, last - begin))) { take(number, begin, last); }
    begin = end + 1;
  }
}

}  // namespace

std::vector<int> notebookLines(const std::string& text) {
  std::vector<int> lines;
  forEachLine(text, [&](int number, std::size_t, std::size_t) { lines.push_back(number); });
  return lines;
}

std::string withoutNotebookLines(std::string text) {
  const std::string read = text;
  forEachLine(read, [&](int, std::size_t begin, std::size_t end) {
    std::fill(text.begin() + static_cast<std::ptrdiff_t>(begin), text.begin() + static_cast<std::ptrdiff_t>(end), ' ');
  });
  return text;
}

std::string notebookNote(const std::string& text) {
  const std::vector<int> lines = notebookLines(text);
  if (lines.empty()) { return {}; }
  std::string all;
  for (const int line : lines) { all += (all.empty() ? "" : ", ") + std::to_string(line); }
  return trn("line {} is a notebook's or a page's, not the program's, and is not read",
             "lines {} are a notebook's or a page's, not the program's, and are not read", lines.size(), all);
}

}  // namespace haloscope
