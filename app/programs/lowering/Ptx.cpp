#include "lowering/Ptx.h"

#include <cctype>
#include <string_view>
#include <tuple>
#include <utility>

namespace haloscope::lowering {

namespace {

bool isBlank(char one) { return std::isspace(static_cast<unsigned char>(one)) != 0; }

bool isOfName(char one) {
  return std::isalnum(static_cast<unsigned char>(one)) != 0 || one == '_' || one == '$' || one == '%';
}

std::string withoutComments(const std::string& text) {
  std::string kept;
  for (std::size_t at = 0; at < text.size();) {
    const bool line = text.compare(at, 2, "//") == 0;
    const bool block = text.compare(at, 2, "/*") == 0;
    if (!line && !block) {
      kept += text[at++];
      continue;
    }
    const std::size_t end = text.find(line ? "\n" : "*/", at + 2);
    at = end == std::string::npos ? text.size() : end + (line ? 0 : 2);
    kept += ' ';
  }
  return kept;
}

std::string trimmed(std::string_view text) {
  while (!text.empty() && isBlank(text.front())) { text.remove_prefix(1); }
  while (!text.empty() && isBlank(text.back())) { text.remove_suffix(1); }
  return std::string(text);
}

/// Removes `label:` from the front, but not the first half of `mbarrier::complete_tx`.
std::string withoutLabels(std::string text) {
  while (true) {
    std::size_t end = 0;
    while (end < text.size() && isOfName(text[end])) { ++end; }
    std::size_t colon = end;
    while (colon < text.size() && isBlank(text[colon])) { ++colon; }
    const bool label = end > 0 && colon < text.size() && text[colon] == ':' && text.compare(colon, 2, "::") != 0;
    if (!label) { return text; }
    text = trimmed(std::string_view(text).substr(colon + 1));
  }
}

std::vector<std::string> operandsOf(std::string_view text) {
  std::vector<std::string> operands;
  std::string one;
  int depth = 0;
  for (const char c : text) {
    if (c == '[' || c == '{') { ++depth; }
    if (c == ']' || c == '}') { --depth; }
    if (c == ',' && depth == 0) {
      operands.push_back(std::exchange(one, {}));
    } else if (!isBlank(c)) {
      one += c;
    }
  }
  if (!one.empty()) { operands.push_back(one); }
  return operands;
}

/// The word that a text begins with, and the rest.
std::pair<std::string, std::string> split(const std::string& text) {
  const std::size_t end = text.find_first_of(" \t\n\r");
  if (end == std::string::npos) { return {text, {}}; }
  return {text.substr(0, end), trimmed(std::string_view(text).substr(end))};
}

/// Adds the instruction that a line has, if it has one.
void add(std::vector<PtxInstruction>& all, const std::string& line) {
  PtxInstruction one;
  std::string text = withoutLabels(trimmed(line));
  if (text.starts_with('@')) { std::tie(one.predicate, text) = split(text.substr(1)); }
  if (text.empty() || text.starts_with(".reg")) { return; }
  std::string operands;
  std::tie(one.name, operands) = split(text);
  one.operands = operandsOf(operands);
  for (std::size_t at = 0; at <= one.name.size();) {
    const std::size_t dot = std::min(one.name.find('.', at), one.name.size());
    one.modifiers.push_back(one.name.substr(at, dot - at));
    at = dot + 1;
  }
  all.push_back(std::move(one));
}

}  // namespace

std::vector<PtxInstruction> ptxInstructions(const std::string& text) {
  std::vector<PtxInstruction> all;
  int depth = 0;  // of brackets within an instruction; braces around instructions only delimit a scope
  std::string line;
  for (const char c : withoutComments(text)) {
    const bool opensScope = c == '{' && withoutLabels(trimmed(line)).empty();
    if (c == ';' || (depth == 0 && (opensScope || c == '}'))) {
      add(all, std::exchange(line, {}));
      continue;
    }
    if (c == '[' || c == '{') { ++depth; }
    if (c == ']' || c == '}') { --depth; }
    line += c;
  }
  add(all, line);
  return all;
}

}  // namespace haloscope::lowering
