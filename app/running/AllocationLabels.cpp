#include "running/AllocationLabels.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>

namespace haloscope::running {

namespace {

constexpr std::size_t kLongest = 40;

bool isWord(char one) { return std::isalnum(static_cast<unsigned char>(one)) != 0 || one == '_'; }

/// The text from an opening parenthesis to the comma or parenthesis that ends the first argument.
std::string_view firstArgument(std::string_view text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char one = text[i];
    if (one == '(' || one == '[' || one == '{') { ++depth; }
    if (one == ')' || one == ']' || one == '}') { --depth; }
    if (depth == 0 || (depth == 1 && one == ',')) { return text.substr(1, i - 1); }
  }
  return {};
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') { text.remove_prefix(1); }
  while (!text.empty() && text.back() == ' ') { text.remove_suffix(1); }
  return text;
}

/// Without casts, parentheses and the address operator.
std::string variableIn(std::string_view text) {
  while (true) {
    text = trimmed(text);
    if (text.starts_with('&')) {
      text.remove_prefix(1);
    } else if (text.starts_with("reinterpret_cast<") || text.starts_with("static_cast<")) {
      const std::size_t open = text.find('(');
      if (open == std::string_view::npos || !text.ends_with(')')) { return {}; }
      text = text.substr(open + 1, text.size() - open - 2);
    } else if (text.starts_with('(')) {
      const std::size_t close = text.find(')');
      if (close == std::string_view::npos) { return {}; }
      // (void **)&p, or (p)
      text = close + 1 < text.size() ? text.substr(close + 1) : text.substr(1, close - 1);
    } else {
      break;
    }
  }
  const bool plain =
      !text.empty() && text.size() <= kLongest && !text.ends_with('*') && std::ranges::all_of(text, [](char one) {
        return isWord(one) || std::string_view(".->[]:+ ").find(one) != std::string_view::npos;
      });
  return plain ? std::string(text) : std::string();
}

}  // namespace

std::vector<std::string> allocatedNames(const std::string& line) {
  static constexpr std::array<std::string_view, 3> kCalls{"cudaMalloc", "cudaHostAlloc", "cudaHostRegister"};
  std::vector<std::string> names;
  for (std::size_t at = 0; at < line.size(); ++at) {
    const std::string_view rest = std::string_view(line).substr(at);
    const bool begins = at == 0 || !isWord(line[at - 1]);
    if (!begins || std::ranges::none_of(kCalls, [&](std::string_view call) { return rest.starts_with(call); })) {
      continue;
    }
    std::size_t end = 0;
    while (end < rest.size() && isWord(rest[end])) { ++end; }
    if (end < rest.size() && rest[end] == '<') { end = std::min(rest.size(), rest.find('>', end) + 1); }
    if (end < rest.size() && rest[end] == '(') { names.push_back(variableIn(firstArgument(rest.substr(end)))); }
  }
  return names;
}

std::vector<std::string> AllocationLabels::namesAt(const host::HostPlace& at) const {
  const std::string* text = nullptr;
  for (const host::HostProgram::File& file : program_.files) {
    if (file.name == at.file) { text = &file.text; }
  }
  const auto header = program_.headers.find(at.file);
  if (text == nullptr && header != program_.headers.end()) { text = &header->second; }
  if (text == nullptr || at.line <= 0) { return {}; }
  std::size_t begin = 0;
  for (int line = 1; line < at.line && begin != std::string::npos; ++line) {
    begin = text->find('\n', begin);
    if (begin != std::string::npos) { ++begin; }
  }
  if (begin == std::string::npos) { return {}; }
  // A call may go on in the next lines.
  std::string line = text->substr(begin, text->find('\n', begin) - begin);
  std::vector<std::string> names = allocatedNames(line);
  for (int more = 0; more < 2 && std::ranges::find(names, std::string()) != names.end(); ++more) {
    begin = text->find('\n', begin);
    if (begin++ == std::string::npos) { break; }
    line += ' ' + text->substr(begin, text->find('\n', begin) - begin);
    names = allocatedNames(line);
  }
  return names;
}

std::string AllocationLabels::next(const host::HostPlace& at) {
  const auto [entry, isNew] = lines_.try_emplace({at.file, at.line});
  Line& line = entry->second;
  if (isNew) { line.names = namesAt(at); }
  if (line.names.empty()) { return {}; }
  std::string name = line.names[line.count++ % line.names.size()];
  if (name.empty()) { return name; }
  const int times = ++used_[name];
  return times == 1 ? name : fmt::format("{} ({})", name, times);
}

}  // namespace haloscope::running
