#include "checking/MacroHazard.h"

#include <cctype>
#include <cstddef>
#include <regex>
#include <sstream>
#include <vector>

namespace haloscope::checking {
namespace {

/// Whether a + or - stands between two operands outside of all parentheses.
bool isBareSum(const std::string& replacement) {
  int depth = 0;
  bool operand = false;
  for (const char c : replacement) {
    if (c == '(' || c == '[') { ++depth; }
    if (c == ')' || c == ']') { --depth; }
    if (depth == 0 && operand && (c == '+' || c == '-')) { return true; }
    if (c != ' ' && c != '\t') {
      operand = c == ')' || c == ']' || c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0;
    }
  }
  return false;
}

SourceRange rangeOf(int line, std::ptrdiff_t column, std::size_t length) {
  return {line, static_cast<int>(column) + 1, line, static_cast<int>(column) + 1 + static_cast<int>(length)};
}

}  // namespace

std::optional<MacroHazard> findMacroHazard(const std::string& text) {
  static const std::regex kDefine(R"(^\s*#\s*define\s+([A-Za-z_]\w*)[ \t]+([^/\\]*[^/\\\s]))");
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) { lines.push_back(line.substr(0, line.find("//"))); }
  for (std::size_t at = 0; at < lines.size(); ++at) {
    std::smatch define;
    if (!std::regex_search(lines[at], define, kDefine) || !isBareSum(define[2])) { continue; }
    const std::regex product(R"([*/%]\s*(\b)" + define[1].str() + R"(\b)|(\b)" + define[1].str() + R"(\b)\s*[*/%])");
    for (std::size_t use = at + 1; use < lines.size(); ++use) {
      std::smatch match;
      if (!std::regex_search(lines[use], match, product)) { continue; }
      const std::ptrdiff_t column = match[1].matched ? match.position(1) : match.position(2);
      return MacroHazard{define[1], define[2],
                         rangeOf(static_cast<int>(at) + 1, define.position(1),
                                 lines[at].size() - static_cast<std::size_t>(define.position(1))),
                         rangeOf(static_cast<int>(use) + 1, column, define[1].str().size())};
    }
  }
  return std::nullopt;
}

}  // namespace haloscope::checking
