#include "opening/HostExpression.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

namespace haloscope::opening {

namespace {

constexpr int kMaxDepth = 48;
constexpr int kMaxSteps = 5'000;

}  // namespace

std::optional<HostExpression::Value> HostExpression::evaluate(const HostTokens& tokens,
                                                              const std::map<std::string, Value>& bound) {
  if (failed_ || tokens.empty()) { return std::nullopt; }
  if (++depth_ > kMaxDepth) {
    failed_ = true;
    return std::nullopt;
  }
  const HostTokens* outerTokens = std::exchange(tokens_, &tokens);
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

std::string HostExpression::peek(std::size_t ahead) const {
  return at_ + ahead < tokens_->size() ? (*tokens_)[at_ + ahead] : std::string();
}

bool HostExpression::take(const char* token) {
  if (peek() != token) { return false; }
  ++at_;
  return true;
}

HostExpression::Value HostExpression::fail() {
  failed_ = true;
  at_ = tokens_->size();
  return {};
}

HostExpression::Value HostExpression::ternary() {
  if (++steps_ > kMaxSteps || ++nesting_ > 4 * kMaxDepth) { return fail(); }
  Value value = comparison();
  if (take("?")) {
    // Only the branch that is taken needs a value: argc > 1 ? atoi(argv[1]) : 256.
    const bool yes = value.value != 0;
    std::size_t colon = at_;
    int depth = 0;
    for (; colon < tokens_->size(); ++colon) {
      const std::string& token = (*tokens_)[colon];
      if (depth == 0 && (token == ":" || closes(token))) { break; }
      depth += opens(token) || token == "?" ? 1 : (closes(token) || token == ":" ? -1 : 0);
    }
    if (colon >= tokens_->size() || (*tokens_)[colon] != ":") { return fail(); }
    if (yes) {
      const HostTokens branch(tokens_->begin() + static_cast<std::ptrdiff_t>(at_),
                              tokens_->begin() + static_cast<std::ptrdiff_t>(colon));
      const std::map<std::string, Value> outer = *bound_;
      const auto known = evaluate(branch, outer);
      if (!known) { return fail(); }
      value = *known;
      for (at_ = colon + 1, depth = 0; at_ < tokens_->size(); ++at_) {
        const std::string& token = (*tokens_)[at_];
        if (depth == 0 && (closes(token) || token == ",")) { break; }
        depth += opens(token) ? 1 : (closes(token) ? -1 : 0);
      }
    } else {
      at_ = colon + 1;
      value = ternary();
    }
  }
  --nesting_;
  return value;
}

HostExpression::Value HostExpression::comparison() {
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

HostExpression::Value HostExpression::shift() {
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

HostExpression::Value HostExpression::sum() {
  Value left = product();
  while (peek() == "+" || peek() == "-") {
    const bool plus = peek() == "+";
    ++at_;
    const Value right = product();
    left = {plus ? left.value + right.value : left.value - right.value, left.whole && right.whole};
  }
  return left;
}

HostExpression::Value HostExpression::product() {
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

HostExpression::Value HostExpression::unary() {
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

HostExpression::Value HostExpression::converted(Value value, const HostTokens& type) {
  const bool floating = std::ranges::any_of(type, [](const auto& t) { return t == "float" || t == "double"; });
  if (floating) { return {value.value, false}; }
  if (type == HostTokens{"auto"}) { return value; }
  return {std::trunc(value.value), true};
}

HostExpression::Value HostExpression::primary() {
  const std::string token = peek();
  if (token.empty()) { return fail(); }
  if (token == "(") {
    std::size_t end = at_ + 1;
    while (end < tokens_->size() && isTypeWord((*tokens_)[end])) { ++end; }
    if (end > at_ + 1 && end < tokens_->size() && (*tokens_)[end] == ")") {
      const HostTokens type(tokens_->begin() + static_cast<std::ptrdiff_t>(at_) + 1,
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
    HostTokens type;
    while (!peek().empty() && peek() != ">") { type.push_back((*tokens_)[at_++]); }
    if (!take(">") || !take("(")) { return fail(); }
    const Value value = ternary();
    return take(")") ? converted(value, type) : fail();
  }
  if (token == "std" && take("::")) { return primary(); }
  if (peek() == "<" && code_.macros_.contains(token)) {  // ceil_div<int>(a, b)
    std::size_t behind = at_;
    while (behind < tokens_->size() && (*tokens_)[behind] != ">" && (*tokens_)[behind] != ";") { ++behind; }
    if (behind + 1 < tokens_->size() && (*tokens_)[behind] == ">" && (*tokens_)[behind + 1] == "(") {
      at_ = behind + 1;
    }
  }
  if (peek() == "(") { return call(token); }
  if (peek() == ".") { return member(token); }
  return named(token);
}

HostExpression::Value HostExpression::numeral(std::string token) {
  std::erase(token, '\'');  // 1'000
  const bool hex = token.starts_with("0x") || token.starts_with("0X");
  const bool whole = hex || token.find_first_of(".eEfF") == std::string::npos;
  char* end = nullptr;
  const double value =
      hex ? static_cast<double>(std::strtoull(token.c_str(), &end, 16)) : std::strtod(token.c_str(), &end);
  return std::isfinite(value) ? Value{value, whole} : fail();
}

HostExpression::Value HostExpression::sizeOf() {
  if (!take("(")) { return fail(); }
  HostTokens type;
  while (!peek().empty() && peek() != ")") { type.push_back((*tokens_)[at_++]); }
  take(")");
  if (type.empty()) { return fail(); }
  if (type.back() == "*") { return {8, true}; }
  static const std::map<std::string, double> kSizes{{"float", 4},  {"int", 4},     {"double", 8},  {"char", 1},
                                                    {"short", 2},  {"long", 8},    {"bool", 1},    {"size_t", 8},
                                                    {"float2", 8}, {"float4", 16}, {"unsigned", 4}};
  if (const auto alias = code_.aliases_.find(type.back()); alias != code_.aliases_.end()) { type = alias->second; }
  const auto known = kSizes.find(type.back());
  if (known != kSizes.end()) { return {known->second, true}; }
  return {4, true};  // of a variable or a named type: most often a float
}

HostExpression::Value HostExpression::call(const std::string& name) {
  ++at_;
  const std::vector<HostTokens> parts = list(*tokens_, at_);
  if (!take(")")) { return fail(); }
  std::vector<Value> values;
  const std::map<std::string, Value> outer = *bound_;
  for (const HostTokens& part : parts) {
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

HostExpression::Value HostExpression::member(const std::string& name) {
  std::string path;
  while (take(".")) {
    path += (path.empty() ? "" : ".") + peek();
    ++at_;
  }
  if (const auto given = given_.find(name + "." + path); given != given_.end()) {
    return {static_cast<double>(given->second), true};
  }
  const std::size_t axis = path.size() == 1 ? std::string_view("xyz").find(path) : 3;
  if (const auto three = code_.dims_.find(name); three != code_.dims_.end() && axis < three->second.size()) {
    if (const auto known = separately(three->second[axis])) { return *known; }
  }
  for (const HostTokens& value : code_.structs_.member({name}, path)) {
    if (const auto known = separately(value)) { return *known; }
    if (steps_ > kMaxSteps) { break; }
  }
  return fail();
}

std::optional<HostExpression::Value> HostExpression::separately(const HostTokens& initializer) {
  HostExpression inner(code_, given_);
  inner.depth_ = depth_ + 1;
  inner.steps_ = steps_ + 10;
  const auto value = inner.evaluate(initializer);
  steps_ = inner.steps_;
  return value;
}

HostExpression::Value HostExpression::named(const std::string& name) {
  if (const auto bound = bound_->find(name); bound != bound_->end()) { return bound->second; }
  if (const auto given = given_.find(name); given != given_.end()) {
    return {static_cast<double>(given->second), true};
  }
  if (name == "argc") { return {1, true}; }  // the program is started without arguments
  if (const auto macro = code_.macros_.find(name); macro != code_.macros_.end() && !macro->second.function) {
    const auto value = evaluate(macro->second.body);
    return value ? *value : fail();
  }
  if (const auto variable = code_.variables_.find(name); variable != code_.variables_.end()) {
    for (const HostTokens& initializer : variable->second) {
      if (const auto value = separately(initializer)) { return *value; }
      if (steps_ > kMaxSteps) { break; }
    }
  }
  return fail();
}

}  // namespace haloscope::opening
