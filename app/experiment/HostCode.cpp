#include "experiment/HostCode.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "experiment/HostExpression.h"

namespace haloscope::experiment {

namespace {

constexpr std::size_t kMaxConstants = 1'000;
/// Tokens looked at for declarations: those that do not end, each within the one before, would be read again and again.
constexpr std::size_t kMaxVisited = 1'000'000;
constexpr std::size_t kMaxTemplateArguments = 64;  ///< tokens of them

/// An initialiser as the variable holds it: 4 is a floating-point number in "float edge = 4".
HostCode::Tokens asDeclared(const std::string& type, const HostCode::Tokens& initializer) {
  if (type != "float" && type != "double" && type != "int") { return initializer; }
  HostCode::Tokens converted{type, "("};
  converted.insert(converted.end(), initializer.begin(), initializer.end());
  converted.emplace_back(")");
  return converted;
}

}  // namespace

HostCode::HostCode(const std::string& text) {
  tokenize(text);
  identifiers_.insert(tokens_.begin(), tokens_.end());
  readDeclarations();
  structs_ = HostStructs(tokens_);
}

void HostCode::tokenize(const std::string& text) {
  // Directives go first, so that their tokens are not taken for statements.
  std::string rest;
  std::size_t at = 0;
  while (at < text.size()) {
    std::size_t end = std::min(text.find('\n', at), text.size());
    const std::size_t first = text.find_first_not_of(" \t", at);
    if (first < end && text[first] == '#') {
      while (end < text.size() && end > at && (text[end - 1] == '\\' || text.substr(end - 2, 2) == "\\\r")) {
        end = std::min(text.find('\n', end + 1), text.size());
      }
      define(text.substr(first, end - first));
    } else {
      rest.append(text, at, end - at);
    }
    rest += '\n';
    at = end + 1;
  }
  tokens_ = tokensOf(rest);
}

void HostCode::define(const std::string& line) {
  std::string joined = line;
  std::erase(joined, '\\');
  Tokens tokens = tokensOf(joined);
  identifiers_.insert(tokens.begin(), tokens.end());
  if (tokens.size() < 4 - 1 || tokens[0] != "#" || tokens[1] != "define" || !isIdentifier(tokens[2])) { return; }
  const std::string name = tokens[2];
  const std::size_t after = joined.find(name, joined.find("define") + 6) + name.size();
  Macro macro;
  std::size_t at = 3;
  macro.function = after < joined.size() && joined[after] == '(';
  if (macro.function) {
    at = 4;
    for (const Tokens& parameter : list(tokens, at)) {
      if (parameter.size() == 1) { macro.parameters.push_back(parameter[0]); }
    }
    ++at;
  }
  if (at < tokens.size()) { macro.body.assign(tokens.begin() + static_cast<std::ptrdiff_t>(at), tokens.end()); }
  macros_.try_emplace(name, std::move(macro));
}

std::size_t HostCode::readLaunch(std::size_t at) {
  LaunchCall launch;
  std::size_t name = at;
  if (name == 0) { return at; }
  --name;
  if (tokens_[name] == ">") {
    int depth = 0;
    while (name > 0 && at - name < kMaxTemplateArguments) {
      depth += tokens_[name] == ">" ? 1 : (tokens_[name] == "<" ? -1 : 0);
      --name;
      if (depth == 0) { break; }
    }
  }
  if (!isIdentifier(tokens_[name])) { return at; }
  launch.kernel = tokens_[name];
  for (std::size_t i = name; i < at; ++i) {
    const bool words = i > name && isIdentifier(tokens_[i]) && isIdentifier(tokens_[i - 1]);
    launch.instance += (words ? " " : "") + tokens_[i];
  }
  std::size_t end = at + 1;
  launch.configuration = list(tokens_, end, ">>>");
  if (end + 1 < tokens_.size() && tokens_[end] == ">>>" && tokens_[end + 1] == "(") {
    end += 2;
    launch.arguments = list(tokens_, end);
  }
  if (launch.configuration.size() >= 2) { launches_.push_back(std::move(launch)); }
  return end;
}

void HostCode::readDeclarations() {
  std::size_t visited = 0;
  for (std::size_t i = 0; i + 1 < tokens_.size() && visited < kMaxVisited; ++i) {
    const std::string& token = tokens_[i];
    std::size_t at = i;
    if (token == "<<<") {
      at = readLaunch(i);
    } else if (token == "dim3" && isIdentifier(tokens_[i + 1]) && i + 2 < tokens_.size()) {
      at = i + 2;
      while (at < tokens_.size() && tokens_[at] != ";" && !opens(tokens_[at])) { ++at; }
      const bool single = at < tokens_.size() && tokens_[at] == ";" && tokens_[i + 2] == "=";
      if (single) {
        dims_.try_emplace(tokens_[i + 1],
                          std::vector<Tokens>{Tokens(tokens_.begin() + static_cast<std::ptrdiff_t>(i) + 3,
                                                     tokens_.begin() + static_cast<std::ptrdiff_t>(at))});
      } else if (++at < tokens_.size() && opens(tokens_[at - 1])) {
        std::vector<Tokens> arguments = list(tokens_, at);
        dims_.try_emplace(tokens_[i + 1], arguments);
        // dim3 block(16, 16), grid(…);
        while (at + 3 < tokens_.size() && tokens_[at + 1] == "," && isIdentifier(tokens_[at + 2]) &&
               opens(tokens_[at + 3])) {
          const std::string next = tokens_[at + 2];
          at += 4;
          dims_.try_emplace(next, list(tokens_, at));
        }
      }
    } else if (token.starts_with("cudaMalloc") && tokens_[i + 1] == "(") {
      at = i + 2;
      const std::vector<Tokens> arguments = list(tokens_, at);
      if (arguments.size() >= 2) {
        const auto pointer = std::find_if(arguments[0].rbegin(), arguments[0].rend(), isIdentifier);
        if (pointer != arguments[0].rend()) { allocations_.try_emplace(*pointer, arguments[1]); }
      }
    } else if (isIdentifier(token) && tokens_[i + 1] == "=" && i > 0) {
      at = i + 2;
      const std::vector<Tokens> value = list(tokens_, at);
      if (!value.empty()) { variables_[token].push_back(asDeclared(tokens_[i - 1], value[0])); }
    } else if (isIdentifier(token) && tokens_[i + 1] == "(" && i > 0 && isTypeWord(tokens_[i - 1])) {
      // A function that only returns an expression: int divUp(int a, int b) { return (a + b - 1) / b; }
      at = i + 2;
      const std::vector<Tokens> parameters = list(tokens_, at);
      if (at + 3 < tokens_.size() && tokens_[at + 1] == "{" && tokens_[at + 2] == "return") {
        Macro function{.function = true, .parameters = {}, .body = {}};
        for (const Tokens& parameter : parameters) {
          if (!parameter.empty()) { function.parameters.push_back(parameter.back()); }
        }
        for (at += 3; at < tokens_.size() && tokens_[at] != ";"; ++at) { function.body.push_back(tokens_[at]); }
        macros_.try_emplace(token, std::move(function));
      }
    }
    visited += at - i;
  }
}

std::map<std::string, std::int64_t> HostCode::constants() const {
  std::map<std::string, std::int64_t> found;
  for (const auto& [name, macro] : macros_) {
    if (macro.function || found.size() >= kMaxConstants) { continue; }
    if (const auto value = integer(macro.body)) { found[name] = *value; }
  }
  for (const auto& [name, unused] : variables_) {
    if (found.size() >= kMaxConstants) { break; }
    if (const auto value = integer({name})) { found.try_emplace(name, *value); }
  }
  return found;
}

std::optional<double> HostCode::number(const Tokens& expression, const Given& given) const {
  HostExpression evaluation(*this, given);
  const auto value = evaluation.evaluate(expression);
  return value ? std::optional(value->value) : std::nullopt;
}

std::optional<std::int64_t> HostCode::integer(const Tokens& expression, const Given& given) const {
  const auto value = number(expression, given);
  if (!value || *value != std::floor(*value) || std::abs(*value) > 1e15) { return std::nullopt; }
  return static_cast<std::int64_t>(*value);
}

std::optional<std::array<std::int64_t, 3>> HostCode::dimensions(const Tokens& expression, const Given& given) const {
  std::array<std::int64_t, 3> result{1, 1, 1};
  const std::vector<Tokens>* arguments = nullptr;
  std::vector<Tokens> own;
  if (expression.size() == 1 && dims_.contains(expression[0])) {
    arguments = &dims_.at(expression[0]);
  } else if (!expression.empty() && (expression[0] == "dim3" || expression[0] == "{")) {
    std::size_t at = expression[0] == "{" ? 1 : 2;
    own = list(expression, at);
    arguments = &own;
  } else {
    own = {expression};
    arguments = &own;
  }
  if (arguments->size() > 3) { return std::nullopt; }
  for (std::size_t axis = 0; axis < arguments->size(); ++axis) {
    const auto value = number((*arguments)[axis], given);
    if (!value || *value < 0 || *value > 2147483647) { return std::nullopt; }
    result[axis] = static_cast<std::int64_t>(*value);
  }
  return result;
}

std::optional<double> HostCode::member(const Tokens& structure, const std::string& path, const Given& given) const {
  for (const Tokens& value : structs_.member(structure, path)) {
    if (const auto known = number(value, given)) { return known; }
  }
  return std::nullopt;
}

std::optional<std::int64_t> HostCode::allocatedBytes(const std::string& pointer, const Given& given) const {
  const auto known = allocations_.find(pointer);
  return known == allocations_.end() ? std::nullopt : integer(known->second, given);
}

}  // namespace haloscope::experiment
