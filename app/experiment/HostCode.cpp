#include "experiment/HostCode.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace haloscope::experiment {

namespace {

constexpr std::size_t kMaxTokens = 200'000;
constexpr int kMaxDepth = 48;
constexpr int kMaxSteps = 5'000;
constexpr std::size_t kMaxConstants = 1'000;
/// Tokens looked at for declarations: those that do not end, each within the one before, would be read again and again.
constexpr std::size_t kMaxVisited = 1'000'000;
constexpr std::size_t kMaxTemplateArguments = 64;  ///< tokens of them

bool isIdentifier(const std::string& token) {
  return !token.empty() && (std::isalpha(static_cast<unsigned char>(token[0])) != 0 || token[0] == '_');
}

bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool isTypeWord(const std::string& token) {
  constexpr auto kWords =
      std::to_array<std::string_view>({"int", "unsigned", "long", "short", "char", "float", "double", "size_t", "const",
                                       "signed", "int64_t", "uint32_t", "int32_t", "uint64_t", "uint", "auto"});
  return std::ranges::find(kWords, token) != kWords.end();
}

HostCode::Tokens split(std::string_view text) {
  constexpr auto kPunctuation = std::to_array<std::string_view>(
      {"<<<", ">>>", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "::", "->", "+=", "-=", "*=", "/=", "++", "--"});
  HostCode::Tokens tokens;
  std::size_t i = 0;
  while (i < text.size() && tokens.size() < kMaxTokens) {
    const char c = text[i];
    if (std::isspace(static_cast<unsigned char>(c)) != 0 || c == '\0') {
      ++i;
    } else if (text.substr(i, 2) == "//") {
      i = std::min(text.find('\n', i), text.size());
    } else if (text.substr(i, 2) == "/*") {
      const std::size_t end = text.find("*/", i + 2);
      i = end == std::string_view::npos ? text.size() : end + 2;
    } else if (c == '"' || c == '\'') {
      std::size_t end = i + 1;
      while (end < text.size() && text[end] != c && text[end] != '\n') { end += text[end] == '\\' ? 2 : 1; }
      tokens.emplace_back("\"\"");
      i = std::min(end + 1, text.size());
    } else if (isWord(c) ||
               (c == '.' && i + 1 < text.size() && std::isdigit(static_cast<unsigned char>(text[i + 1])) != 0)) {
      const bool numeral = isWord(c) ? std::isdigit(static_cast<unsigned char>(c)) != 0 : true;
      std::size_t end = i + 1;
      while (end < text.size() && (isWord(text[end]) || (numeral && text[end] == '.'))) { ++end; }
      tokens.emplace_back(text.substr(i, end - i));
      i = end;
    } else {
      const auto known = std::ranges::find_if(kPunctuation, [&](auto p) { return text.substr(i, p.size()) == p; });
      const std::size_t length = known == kPunctuation.end() ? 1 : known->size();
      tokens.emplace_back(text.substr(i, length));
      i += length;
    }
  }
  return tokens;
}

bool opens(const std::string& token) { return token == "(" || token == "[" || token == "{"; }
bool closes(const std::string& token) { return token == ")" || token == "]" || token == "}"; }

/// The expressions between commas, from `at` up to the bracket that closes, where `at` is left.
std::vector<HostCode::Tokens> list(const HostCode::Tokens& tokens, std::size_t& at, const std::string& end = "") {
  std::vector<HostCode::Tokens> parts(1);
  int depth = 0;
  for (; at < tokens.size(); ++at) {
    const std::string& token = tokens[at];
    if (depth == 0 && (end.empty() ? closes(token) : token == end)) { break; }
    if (depth == 0 && token == ";") { break; }
    depth += opens(token) ? 1 : (closes(token) ? -1 : 0);
    if (depth == 0 && token == ",") {
      parts.emplace_back();
    } else {
      parts.back().push_back(token);
    }
  }
  if (parts.size() == 1 && parts.front().empty()) { parts.clear(); }
  return parts;
}

}  // namespace

/// One evaluation; throws nothing: what cannot be known makes it fail.
class HostExpression {
 public:
  struct Value {
    double value = 0;
    bool whole = true;
  };

  HostExpression(const HostCode& code, const HostCode::Given& given) : code_(code), given_(given) {}

  std::optional<Value> evaluate(const HostCode::Tokens& tokens, const std::map<std::string, Value>& bound = {}) {
    if (failed_ || tokens.empty()) { return std::nullopt; }
    if (++depth_ > kMaxDepth) {
      failed_ = true;
      return std::nullopt;
    }
    const HostCode::Tokens* outerTokens = std::exchange(tokens_, &tokens);
    const std::size_t outerAt = std::exchange(at_, 0);
    const std::map<std::string, Value>* outerBound = std::exchange(bound_, &bound);
    const Value value = ternary();
    const bool complete = at_ == tokens.size();
    tokens_ = outerTokens;
    at_ = outerAt;
    bound_ = outerBound;
    --depth_;
    if (failed_ || !complete) { return std::nullopt; }
    return value;
  }

 private:
  [[nodiscard]] std::string peek(std::size_t ahead = 0) const {
    return at_ + ahead < tokens_->size() ? (*tokens_)[at_ + ahead] : std::string();
  }
  bool take(const char* token) {
    if (peek() != token) { return false; }
    ++at_;
    return true;
  }
  Value fail() {
    failed_ = true;
    at_ = tokens_->size();
    return {};
  }

  Value ternary() {
    if (++steps_ > kMaxSteps || ++nesting_ > 4 * kMaxDepth) { return fail(); }
    Value value = comparison();
    if (take("?")) {
      const Value yes = ternary();
      if (!take(":")) { return fail(); }
      const Value no = ternary();
      value = value.value != 0 ? yes : no;
    }
    --nesting_;
    return value;
  }

  Value comparison() {
    Value left = shift();
    while (true) {
      const std::string op = peek();
      if (op != "<" && op != ">" && op != "<=" && op != ">=" && op != "==" && op != "!=" && op != "&&" && op != "||") {
        return left;
      }
      ++at_;
      const Value right = shift();
      const double a = left.value;
      const double b = right.value;
      const bool holds = op == "<"    ? a < b
                         : op == ">"  ? a > b
                         : op == "<=" ? a <= b
                         : op == ">=" ? a >= b
                         : op == "==" ? a == b
                         : op == "!=" ? a != b
                         : op == "&&" ? (a != 0 && b != 0)
                                      : (a != 0 || b != 0);
      left = {holds ? 1.0 : 0.0, true};
    }
  }

  Value shift() {
    Value left = sum();
    while (peek() == "<<" || peek() == ">>") {
      const bool up = peek() == "<<";
      ++at_;
      const Value right = sum();
      if (!left.whole || !right.whole || right.value < 0 || right.value > 40) { return fail(); }
      left.value = up ? left.value * std::exp2(right.value) : std::floor(left.value / std::exp2(right.value));
    }
    return left;
  }

  Value sum() {
    Value left = product();
    while (peek() == "+" || peek() == "-") {
      const bool plus = peek() == "+";
      ++at_;
      const Value right = product();
      left = {plus ? left.value + right.value : left.value - right.value, left.whole && right.whole};
    }
    return left;
  }

  Value product() {
    Value left = unary();
    while (peek() == "*" || peek() == "/" || peek() == "%") {
      const char op = peek()[0];
      ++at_;
      const Value right = unary();
      if (failed_) { return {}; }
      const bool whole = left.whole && right.whole;
      if (op == '*') {
        left = {left.value * right.value, whole};
        continue;
      }
      if (right.value == 0 || (op == '%' && !whole)) { return fail(); }
      if (op == '%') {
        left = {std::fmod(left.value, right.value), true};
      } else {
        left = {whole ? std::trunc(left.value / right.value) : left.value / right.value, whole};
      }
    }
    return left;
  }

  Value unary() {
    if (++steps_ > kMaxSteps || ++nesting_ > 4 * kMaxDepth) { return fail(); }
    Value value;
    if (take("-")) {
      value = unary();
      value.value = -value.value;
    } else if (take("+")) {
      value = unary();
    } else if (take("!")) {
      value = unary();
      value = {value.value == 0 ? 1.0 : 0.0, true};
    } else {
      value = primary();
    }
    --nesting_;
    return value;
  }

  static Value converted(Value value, const HostCode::Tokens& type) {
    const bool floating = std::ranges::any_of(type, [](const auto& t) { return t == "float" || t == "double"; });
    if (floating) { return {value.value, false}; }
    if (type == HostCode::Tokens{"auto"}) { return value; }
    return {std::trunc(value.value), true};
  }

  Value primary() {
    const std::string token = peek();
    if (token.empty()) { return fail(); }
    if (token == "(") {
      std::size_t end = at_ + 1;
      while (end < tokens_->size() && isTypeWord((*tokens_)[end])) { ++end; }
      if (end > at_ + 1 && end < tokens_->size() && (*tokens_)[end] == ")") {
        const HostCode::Tokens type(tokens_->begin() + static_cast<std::ptrdiff_t>(at_) + 1,
                                    tokens_->begin() + static_cast<std::ptrdiff_t>(end));
        at_ = end + 1;
        return converted(unary(), type);
      }
      ++at_;
      const Value value = ternary();
      return take(")") ? value : fail();
    }
    ++at_;
    if (std::isdigit(static_cast<unsigned char>(token[0])) != 0 || token[0] == '.') { return numeral(token); }
    if (!isIdentifier(token)) { return fail(); }
    if (token == "sizeof") { return sizeOf(); }
    if (token == "static_cast" && take("<")) {
      HostCode::Tokens type;
      while (!peek().empty() && peek() != ">") { type.push_back((*tokens_)[at_++]); }
      if (!take(">") || !take("(")) { return fail(); }
      const Value value = ternary();
      return take(")") ? converted(value, type) : fail();
    }
    if (token == "std" && take("::")) { return primary(); }
    if (peek() == "(") { return call(token); }
    if (peek() == ".") { return member(token); }
    return named(token);
  }

  Value numeral(const std::string& token) {
    const bool hex = token.starts_with("0x") || token.starts_with("0X");
    const bool whole = hex || token.find_first_of(".eEfF") == std::string::npos;
    char* end = nullptr;
    const double value =
        hex ? static_cast<double>(std::strtoull(token.c_str(), &end, 16)) : std::strtod(token.c_str(), &end);
    return std::isfinite(value) ? Value{value, whole} : fail();
  }

  Value sizeOf() {
    if (!take("(")) { return fail(); }
    HostCode::Tokens type;
    while (!peek().empty() && peek() != ")") { type.push_back((*tokens_)[at_++]); }
    take(")");
    if (type.empty()) { return fail(); }
    if (type.back() == "*") { return {8, true}; }
    static const std::map<std::string, double> kSizes{{"float", 4},  {"int", 4},     {"double", 8},  {"char", 1},
                                                      {"short", 2},  {"long", 8},    {"bool", 1},    {"size_t", 8},
                                                      {"float2", 8}, {"float4", 16}, {"unsigned", 4}};
    const auto known = kSizes.find(type.back());
    if (known != kSizes.end()) { return {known->second, true}; }
    return {4, true};  // of a variable or a named type: most often a float
  }

  Value call(const std::string& name) {
    ++at_;
    const std::vector<HostCode::Tokens> parts = list(*tokens_, at_);
    if (!take(")")) { return fail(); }
    std::vector<Value> values;
    const std::map<std::string, Value> outer = *bound_;
    for (const HostCode::Tokens& part : parts) {
      const auto value = evaluate(part, outer);
      if (!value) { return fail(); }
      values.push_back(*value);
    }
    if (isTypeWord(name) && values.size() == 1) { return converted(values[0], {name}); }
    if ((name == "ceil" || name == "ceilf") && values.size() == 1) { return {std::ceil(values[0].value), false}; }
    if ((name == "floor" || name == "floorf") && values.size() == 1) { return {std::floor(values[0].value), false}; }
    if ((name == "min" || name == "max") && values.size() == 2) {
      const bool first = (values[0].value < values[1].value) == (name == "min");
      return first ? values[0] : values[1];
    }
    const auto macro = code_.macros_.find(name);
    if (macro == code_.macros_.end() || !macro->second.function || macro->second.parameters.size() != values.size()) {
      return fail();
    }
    std::map<std::string, Value> bound;
    for (std::size_t i = 0; i < values.size(); ++i) { bound[macro->second.parameters[i]] = values[i]; }
    const auto value = evaluate(macro->second.body, bound);
    return value ? *value : fail();
  }

  Value member(const std::string& name) {
    std::string path;
    while (take(".")) {
      path += (path.empty() ? "" : ".") + peek();
      ++at_;
    }
    if (const auto given = given_.find(name + "." + path); given != given_.end()) {
      return {static_cast<double>(given->second), true};
    }
    for (const HostCode::Tokens& value : code_.structs_.member({name}, path)) {
      if (const auto known = separately(value)) { return *known; }
      if (steps_ > kMaxSteps) { break; }
    }
    return fail();
  }

  /// What an initialiser gives; that it fails does not make this evaluation fail.
  std::optional<Value> separately(const HostCode::Tokens& initializer) {
    HostExpression inner(code_, given_);
    inner.depth_ = depth_ + 1;
    inner.steps_ = steps_ + 10;
    const auto value = inner.evaluate(initializer);
    steps_ = inner.steps_;
    return value;
  }

  Value named(const std::string& name) {
    if (const auto bound = bound_->find(name); bound != bound_->end()) { return bound->second; }
    if (const auto given = given_.find(name); given != given_.end()) {
      return {static_cast<double>(given->second), true};
    }
    if (const auto macro = code_.macros_.find(name); macro != code_.macros_.end() && !macro->second.function) {
      const auto value = evaluate(macro->second.body);
      return value ? *value : fail();
    }
    if (const auto variable = code_.variables_.find(name); variable != code_.variables_.end()) {
      for (const HostCode::Tokens& initializer : variable->second) {
        if (const auto value = separately(initializer)) { return *value; }
        if (steps_ > kMaxSteps) { break; }
      }
    }
    return fail();
  }

  const HostCode& code_;
  const HostCode::Given& given_;
  const HostCode::Tokens* tokens_ = nullptr;
  std::size_t at_ = 0;
  const std::map<std::string, Value>* bound_ = nullptr;
  bool failed_ = false;
  int depth_ = 0, nesting_ = 0, steps_ = 0;
};

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
  tokens_ = split(rest);
}

void HostCode::define(const std::string& line) {
  std::string joined = line;
  std::erase(joined, '\\');
  Tokens tokens = split(joined);
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
      if (!value.empty()) { variables_[token].push_back(value[0]); }
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
