#include "running/HostHalf.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "frontend/SourceTokens.h"

namespace haloscope::running {

namespace {

using frontend::SourceToken;
using frontend::SourceTokens;
using frontend::TextRange;

bool isOneOf(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

/// Whether braces may be more, or fewer, than the text shows, or whether a body counts in the code after it.
bool hidesBodies(const SourceTokens& tokens) {
  for (const SourceTokens::Directive& one : tokens.directives()) {
    if (one.word != "define") { continue; }
    int depth = 0;
    for (const SourceToken& token : one.tokens) { depth += token.spelling == "{" ? 1 : token.spelling == "}" ? -1 : 0; }
    if (depth != 0) { return true; }
  }
  return std::ranges::any_of(tokens.all(), [](const SourceToken& one) { return one.spelling == "__COUNTER__"; });
}

/// Whether host code may know in which lines it is: an edit that moves it changes its object code.
bool knowsItsLines(const SourceTokens& tokens) {
  return std::ranges::any_of(tokens.all(), [](const SourceToken& one) {
    return isOneOf(one.spelling, {"__LINE__", "__builtin_LINE", "source_location", "assert"});
  });
}

/// The bodies that the host's object code does not depend on.
class DeviceBodies {
 public:
  explicit DeviceBodies(const SourceTokens& tokens) : tokens_(tokens), code_(tokens.code()) {}

  /// Between their braces, in the order of the text.
  [[nodiscard]] std::vector<TextRange> find() const {
    std::vector<TextRange> bodies;
    for (std::size_t i = 0; i < code_.size(); ++i) {
      if (!isOneOf(code_[i].spelling, {"__global__", "__device__"})) { continue; }
      const std::optional<std::size_t> open = bodyOf(i);
      if (!open) { continue; }
      const std::size_t close = closing(*open);
      if (close == code_.size()) { break; }
      const TextRange body{code_[*open].end(), code_[close].offset};
      if (!hasDirective(body)) { bodies.push_back(body); }
      i = close;
    }
    return bodies;
  }

 private:
  static bool sharesItsBody(std::string_view word) {
    return isOneOf(word, {"__host__", "constexpr", "consteval", "auto", "decltype", "operator"});
  }

  /// The brace that opens the body of the function whose declaration has this token; none if it is no function, or one
  /// whose body may matter to the host.
  [[nodiscard]] std::optional<std::size_t> bodyOf(std::size_t specifier) const {
    for (std::size_t i = specifier; i > 0; --i) {
      const std::string_view before = code_[i - 1].spelling;
      if (isOneOf(before, {";", "{", "}"})) { break; }
      // A lambda is part of host code.
      if (sharesItsBody(before) || isOneOf(before, {"]", "="})) { return std::nullopt; }
    }
    int depth = 0;
    bool parameters = false;
    for (std::size_t i = specifier; i < code_.size(); ++i) {
      const std::string_view word = code_[i].spelling;
      if (word == "(") { ++depth; }
      if (word == ")") { --depth; }
      parameters = parameters || word == ")";
      if (sharesItsBody(word) || depth < 0) { return std::nullopt; }
      if (depth > 0) { continue; }
      if (isOneOf(word, {";", "=", "}", ":", "]"})) { return std::nullopt; }
      if (word == "{") {
        const bool ends = parameters && isOneOf(code_[i - 1].spelling, {")", "const", "noexcept"});
        return ends ? std::optional(i) : std::nullopt;
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] std::size_t closing(std::size_t open) const {
    int depth = 0;
    for (std::size_t i = open; i < code_.size(); ++i) {
      depth += code_[i].spelling == "{" ? 1 : code_[i].spelling == "}" ? -1 : 0;
      if (depth == 0) { return i; }
    }
    return code_.size();
  }

  [[nodiscard]] bool hasDirective(const TextRange& body) const {
    return std::ranges::any_of(tokens_.directives(), [&](const SourceTokens::Directive& one) {
      return body.contains(one.where.begin) && one.word != "pragma";
    });
  }

  const SourceTokens& tokens_;
  const std::vector<SourceToken>& code_;
};

/// A text without these ranges, each of which ends a line, and the lines that are left. `keepLines`: of a range its
/// ends of lines stay.
struct Stripped {
  std::string text;
  std::vector<int> lines;
};

Stripped without(const std::vector<TextRange>& ranges, const std::string& text, bool keepLines) {
  Stripped result;
  int line = 1;
  std::size_t at = 0;
  result.lines.push_back(line);
  const auto keep = [&](std::size_t end) {
    for (; at < end; ++at) {
      result.text += text[at];
      if (text[at] == '\n') { result.lines.push_back(++line); }
    }
  };
  for (const TextRange& range : ranges) {
    keep(range.begin);
    const auto ends = std::count(text.begin() + static_cast<std::ptrdiff_t>(range.begin),
                                 text.begin() + static_cast<std::ptrdiff_t>(range.end), '\n');
    line += static_cast<int>(ends);
    if (keepLines) {
      result.text.append(static_cast<std::size_t>(ends), '\n');
      result.lines.insert(result.lines.end(), static_cast<std::size_t>(ends), line);
    }
    at = range.end;
    result.text += '\n';
    result.lines.push_back(line);
  }
  keep(text.size());
  return result;
}

}  // namespace

HostHalf hostHalfOf(const host::HostProgram& program) {
  std::vector<std::pair<std::string, SourceTokens>> texts;
  for (const host::HostProgram::File& file : program.files) { texts.emplace_back(file.name, SourceTokens(file.text)); }
  for (const auto& [name, text] : program.headers) { texts.emplace_back(name, SourceTokens(text)); }
  const bool whole = std::ranges::any_of(texts, [](const auto& one) { return hidesBodies(one.second); });
  const bool keepLines = std::ranges::any_of(texts, [](const auto& one) { return knowsItsLines(one.second); });
  HostHalf half;
  for (const auto& [name, value] : program.defines) { half.text += fmt::format("#define {} {}\n", name, value); }
  for (const auto& [name, tokens] : texts) {
    const std::vector<TextRange> bodies = whole ? std::vector<TextRange>{} : DeviceBodies(tokens).find();
    Stripped stripped = without(bodies, tokens.text(), keepLines);
    half.text += fmt::format("{} has {} bytes:\n{}\n", name, stripped.text.size(), stripped.text);
    half.lines[name] = std::move(stripped.lines);
  }
  return half;
}

host::HostPlace placeIn(const HostHalf& to, const HostHalf& from, host::HostPlace place) {
  const auto before = from.lines.find(place.file);
  const auto now = to.lines.find(place.file);
  if (place.line <= 0 || before == from.lines.end() || now == to.lines.end()) { return place; }
  const auto after = std::ranges::upper_bound(before->second, place.line);
  const auto index = static_cast<std::size_t>(after - before->second.begin());
  if (index == 0 || index > now->second.size()) { return place; }
  place.line += now->second[index - 1] - before->second[index - 1];
  return place;
}

}  // namespace haloscope::running
