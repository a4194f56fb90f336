#include "opening/HostFunctions.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

namespace haloscope::opening {

namespace {

constexpr std::size_t kMaxFunctions = 1'000;
constexpr std::size_t kMaxCalls = 64;  ///< of one function
constexpr std::size_t kMaxTemplateTokens = 64;

bool isStatementWord(const std::string& token) {
  constexpr auto kWords = std::to_array<std::string_view>(
      {"if", "for", "while", "switch", "catch", "return", "sizeof", "do", "else", "new", "delete", "case", "throw"});
  return std::ranges::find(kWords, token) != kWords.end();
}

/// The name in a parameter's declaration, and its default.
std::string nameOf(const HostTokens& declaration, HostTokens& otherwise) {
  const auto equals = std::ranges::find(declaration, "=");
  if (equals != declaration.end()) { otherwise.assign(equals + 1, declaration.end()); }
  for (auto at = equals; at != declaration.begin();) {
    --at;
    if (isIdentifier(*at)) { return *at; }
  }
  return {};
}

/// The parts of `<float, 3>`, whose first token is at `at`; `at` is moved past the `>`.
std::vector<HostTokens> templateList(const HostTokens& tokens, std::size_t& at) {
  std::vector<HostTokens> parts(1);
  int depth = 0;
  for (const std::size_t first = at; at < tokens.size() && at - first < kMaxTemplateTokens; ++at) {
    const std::string& token = tokens[at];
    if (token == ";" || token == "{") { break; }
    if (token == "<" && depth++ == 0) { continue; }
    if (token == ">" && --depth == 0) {
      ++at;
      return parts;
    }
    if (token == "," && depth == 1) {
      parts.emplace_back();
    } else {
      parts.back().push_back(token);
    }
  }
  return {};
}

}  // namespace

HostTokens substituted(const HostTokens& pattern, const std::vector<std::string>& words,
                       const std::vector<HostTokens>& values) {
  HostTokens result;
  for (const std::string& token : pattern) {
    const auto at = static_cast<std::size_t>(std::ranges::find(words, token) - words.begin());
    if (at < values.size()) {
      result.insert(result.end(), values[at].begin(), values[at].end());
    } else {
      result.push_back(token);
    }
  }
  return result;
}

HostFunctions::HostFunctions(const HostTokens& tokens) {
  std::size_t visited = 0;
  for (std::size_t i = 0; i + 1 < tokens.size() && visited < kMaxTokensVisited && functions_.size() < kMaxFunctions;
       ++i) {
    if (!isIdentifier(tokens[i]) || isStatementWord(tokens[i])) { continue; }
    std::size_t bracket = i + 1;
    if (tokens[bracket] == "=" && bracket + 1 < tokens.size() && tokens[bracket + 1] == "[") {  // a lambda
      bracket += 2;
      static_cast<void>(list(tokens, bracket));
      ++bracket;
    }
    if (bracket >= tokens.size() || tokens[bracket] != "(") { continue; }
    const std::size_t before = functions_.size();
    readDefinition(tokens, i, bracket);
    visited += functions_.size() > before ? functions_.back().begin - i : 8;
  }
  readCalls(tokens);
}

void HostFunctions::readDefinition(const HostTokens& tokens, std::size_t name, std::size_t bracket) {
  std::size_t at = bracket + 1;
  const std::vector<HostTokens> parameters = list(tokens, at);
  if (at >= tokens.size() || tokens[at] != ")") { return; }
  ++at;
  Function function{.name = tokens[name],
                    .parameters = {},
                    .templateParameters = {},
                    .defaults = {},
                    .begin = 0,
                    .end = 0,
                    .initializers = {},
                    .calls = {}};
  while (at < tokens.size() && (tokens[at] == "const" || tokens[at] == "noexcept" || tokens[at] == "override")) {
    ++at;
  }
  if (at < tokens.size() && tokens[at] == "->") {  // of a lambda: the type that it returns
    while (at < tokens.size() && tokens[at] != "{" && tokens[at] != ";") { ++at; }
  }
  if (at < tokens.size() && tokens[at] == ":") {
    ++at;
    while (at + 1 < tokens.size() && isIdentifier(tokens[at]) && (tokens[at + 1] == "(" || tokens[at + 1] == "{")) {
      HostTokens one{tokens[at], "("};
      at += 2;
      for (const HostTokens& value : list(tokens, at)) {
        if (one.size() > 2) { one.emplace_back(","); }
        one.insert(one.end(), value.begin(), value.end());
      }
      one.emplace_back(")");
      function.initializers.push_back(std::move(one));
      ++at;
      if (at < tokens.size() && tokens[at] == ",") { ++at; }
    }
  }
  if (at >= tokens.size() || tokens[at] != "{") { return; }
  function.begin = at;
  int depth = 0;
  for (; at < tokens.size(); ++at) {
    depth += tokens[at] == "{" ? 1 : (tokens[at] == "}" ? -1 : 0);
    if (depth == 0) { break; }
  }
  function.end = at;
  for (const HostTokens& parameter : parameters) {
    HostTokens otherwise;
    function.parameters.push_back(nameOf(parameter, otherwise));
    function.defaults.push_back(std::move(otherwise));
  }
  // template <typename T, int R> static void name(…)
  std::size_t first = name;
  while (first > 0 && name - first < kMaxTemplateTokens && tokens[first] != ";" && tokens[first] != "}" &&
         tokens[first] != "{" && tokens[first] != "template") {
    --first;
  }
  if (tokens[first] == "template") {
    ++first;
    for (const HostTokens& parameter : templateList(tokens, first)) {
      HostTokens otherwise;
      function.templateParameters.push_back(nameOf(parameter, otherwise));
    }
  }
  functions_.push_back(std::move(function));
  definitions_.push_back(name);
}

void HostFunctions::readCalls(const HostTokens& tokens) {
  std::multimap<std::string, std::size_t> byName;
  for (std::size_t i = 0; i < functions_.size(); ++i) { byName.emplace(functions_[i].name, i); }
  std::size_t visited = 0;
  for (std::size_t i = 0; i + 1 < tokens.size() && visited < kMaxTokensVisited; ++i) {
    const auto [begin, end] = byName.equal_range(tokens[i]);
    if (begin == end || std::ranges::find(definitions_, i) != definitions_.end()) { continue; }
    std::size_t at = i + 1;
    Call call{.caller = enclosing(i), .arguments = {}, .templateArguments = {}};
    if (tokens[at] == "<") { call.templateArguments = templateList(tokens, at); }
    // Solver solver(64, 32), solver{64, 32}, make_unique<Solver>(64, 32)
    if (at + 1 < tokens.size() && (isIdentifier(tokens[at]) || tokens[at] == ">")) { ++at; }
    if (at >= tokens.size() || (tokens[at] != "(" && tokens[at] != "{")) { continue; }
    const std::size_t first = ++at;
    call.arguments = list(tokens, at);
    visited += at - first;
    for (auto one = begin; one != end; ++one) {
      Function& function = functions_[one->second];
      if (call.arguments.size() > function.parameters.size() || function.calls.size() >= kMaxCalls) { continue; }
      function.calls.push_back(call);
    }
  }
}

std::size_t HostFunctions::enclosing(std::size_t token) const {
  std::size_t innermost = kNowhere;
  for (std::size_t i = 0; i < functions_.size(); ++i) {
    const bool inside = functions_[i].begin < token && token < functions_[i].end;
    if (inside && (innermost == kNowhere || functions_[i].begin > functions_[innermost].begin)) { innermost = i; }
  }
  return innermost;
}

const HostTokens* HostFunctions::argument(const Function& function, const Call& call, const std::string& name) {
  const auto at = static_cast<std::size_t>(std::ranges::find(function.parameters, name) - function.parameters.begin());
  if (at >= function.parameters.size()) { return nullptr; }
  if (at < call.arguments.size()) { return &call.arguments[at]; }
  return function.defaults[at].empty() ? nullptr : &function.defaults[at];
}

}  // namespace haloscope::opening
