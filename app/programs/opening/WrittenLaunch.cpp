#include "opening/WrittenLaunch.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include "catalogue/Expression.h"
#include "frontend/SourceTokens.h"

namespace haloscope::opening {

namespace {

using frontend::SourceToken;

constexpr int kMostSteps = 6;  ///< from a name to the name that gives it its value

class LaunchReader {
 public:
  LaunchReader(const frontend::SourceTokens& source, const std::map<std::string, std::int64_t>& constants)
      : constants_(constants) {
    std::ranges::copy_if(source.all(), std::back_inserter(tokens_), [](const SourceToken& one) {
      return one.kind != SourceToken::Kind::Comment && !one.inDirective;
    });
  }

  WrittenLaunch of(const std::string& kernel) {
    for (std::size_t at = 1; at < tokens_.size(); ++at) {
      if (tokens_[at].spelling != "<<<" || !isOf(kernel, at)) { continue; }
      launch_ = at;
      const std::vector<Part> parts = partsAfter(at, ">>>");
      if (parts.size() < 2) { continue; }
      const auto grid = dimensions(parts[0], kMostSteps);
      return {dimensions(parts[1], kMostSteps), grid && grid->count() == 1};
    }
    return {};
  }

 private:
  /// Tokens from `begin` up to `end`.
  struct Part {
    std::size_t begin = 0, end = 0;
    [[nodiscard]] std::size_t size() const { return end - begin; }
  };

  [[nodiscard]] std::string_view spelling(std::size_t at) const {
    return at < tokens_.size() ? tokens_[at].spelling : std::string_view{};
  }

  /// Whether the name before template arguments, if any, is the kernel's.
  [[nodiscard]] bool isOf(const std::string& kernel, std::size_t launch) const {
    std::size_t at = launch - 1;
    if (spelling(at).starts_with('>')) {
      while (at > 0 && spelling(at) != "<") { --at; }
      at -= at > 0 ? 1 : 0;
    }
    return spelling(at) == kernel;
  }

  /// What stands between an opening token and its closing one, separated by commas.
  [[nodiscard]] std::vector<Part> partsAfter(std::size_t open, std::string_view close) const {
    std::vector<Part> parts;
    int depth = 0;
    std::size_t begin = open + 1;
    for (std::size_t at = begin; at < tokens_.size(); ++at) {
      const std::string_view token = spelling(at);
      if (depth == 0 && (token == close || token == ",")) {
        parts.push_back({begin, at});
        begin = at + 1;
        if (token == close) { return parts; }
      }
      if (token == "(" || token == "{" || token == "[") { ++depth; }
      if (token == ")" || token == "}" || token == "]") { --depth; }
    }
    return {};
  }

  /// Of a dim3 or an integer.
  [[nodiscard]] std::optional<Dim3> dimensions(const Part& part, int steps) const {
    if (part.size() == 0 || steps == 0) { return std::nullopt; }
    std::size_t open = part.begin;
    if (spelling(open) == "dim3") { return axes(open + 1, steps); }
    if (part.size() == 1 && tokens_[open].kind == SourceToken::Kind::Identifier) {
      if (const auto given = dim3Before(spelling(open))) { return axes(*given, steps - 1); }
    }
    const auto x = integer(part, steps);
    return x ? std::optional(Dim3{*x, 1, 1}) : std::nullopt;
  }

  /// Where the values begin that a dim3 has at the launch: those that it was given last, if it can be seen there. Other
  /// functions have others of the same name.
  [[nodiscard]] std::optional<std::size_t> dim3Before(std::string_view name) const {
    std::optional<std::size_t> given;
    int depth = 0;
    for (std::size_t at = 1; at < launch_; ++at) {
      if (spelling(at) == "{") { ++depth; }
      if (spelling(at) == "}" && --depth < 0) {
        given.reset();  // it ended with its block
        depth = 0;
      }
      if (spelling(at) != name) { continue; }
      const std::string_view next = spelling(at + 1);
      if (next == "=" || (next == "." && spelling(at + 3) == "=")) {
        // Of another variable, or one of its axes alone, nothing is followed.
        const bool whole = next == "=" && spelling(at + 2) == "dim3";
        given = whole ? std::optional(at + 3) : std::nullopt;
        depth = 0;
      } else if ((next == "(" || next == "{") && declaresDim3(at)) {
        given = at + 1;
        depth = 0;
      }
    }
    return given;
  }

  /// `dim3 a(1), at(…)`.
  [[nodiscard]] bool declaresDim3(std::size_t at) const {
    if (spelling(at - 1) == "dim3") { return true; }
    while (at > 1 && spelling(at) != ";" && spelling(at) != "}") {
      if (spelling(--at) == "dim3") { return true; }
    }
    return false;
  }

  [[nodiscard]] std::optional<Dim3> axes(std::size_t open, int steps) const {
    const std::string_view token = spelling(open);
    if (token != "(" && token != "{") { return std::nullopt; }
    const std::vector<Part> parts = partsAfter(open, token == "(" ? ")" : "}");
    if (parts.empty() || parts.size() > 3) { return std::nullopt; }
    Dim3 made{1, 1, 1};
    std::uint32_t* const all[] = {&made.x, &made.y, &made.z};
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const auto value = integer(parts[i], steps);
      if (!value) { return std::nullopt; }
      *all[i] = *value;
    }
    return made;
  }

  /// From 1 to 2^31 - 1.
  [[nodiscard]] std::optional<std::uint32_t> integer(const Part& part, int steps) const {
    std::string text;
    std::map<std::string, std::int64_t> values = constants_;
    for (std::size_t at = part.begin; at < part.end; ++at) {
      const std::string name(spelling(at));
      text += (text.empty() ? "" : " ") + name;
      if (tokens_[at].kind != SourceToken::Kind::Identifier || values.contains(name)) { continue; }
      const auto value = steps > 0 ? variable(name, steps - 1) : std::nullopt;
      if (!value) { return std::nullopt; }
      values[name] = *value;
    }
    try {
      const std::int64_t value = Expression(text).evaluateInteger(values);
      return value > 0 && value < std::int64_t{1} << 31 ? std::optional(static_cast<std::uint32_t>(value))
                                                        : std::nullopt;
    } catch (const InputError&) { return std::nullopt; }
  }

  [[nodiscard]] std::optional<std::uint32_t> variable(const std::string& name, int steps) const {
    std::optional<std::size_t> given;
    for (std::size_t at = 1; at + 1 < tokens_.size(); ++at) {
      if (spelling(at) != name || spelling(at + 1) != "=") { continue; }
      if (given) { return std::nullopt; }
      given = at + 1;
    }
    if (!given) { return std::nullopt; }
    Part part{*given + 1, *given + 1};
    int depth = 0;
    for (; part.end < tokens_.size(); ++part.end) {
      const std::string_view token = spelling(part.end);
      if (depth == 0 && (token == ";" || token == ",")) { break; }
      depth += token == "(" ? 1 : token == ")" ? -1 : 0;
    }
    return integer(part, steps);
  }

  std::size_t launch_ = 0;  ///< its "<<<"
  const std::map<std::string, std::int64_t>& constants_;
  std::vector<SourceToken> tokens_;
};

}  // namespace

WrittenLaunch writtenLaunch(const std::string& text, const std::string& kernel,
                            const std::map<std::string, std::int64_t>& constants) {
  const frontend::SourceTokens source(text);
  return LaunchReader(source, constants).of(kernel);
}

}  // namespace haloscope::opening
