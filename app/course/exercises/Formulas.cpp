#include "exercises/Formulas.h"

#include <array>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <regex>
#include <string_view>
#include <utility>
#include <vector>

#include "catalogue/Expression.h"
#include "language/Text.h"
#include "program/SourceLocation.h"
#include "questions/Questions.h"

namespace haloscope::exercises {

namespace {

bool beginsName(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool continuesName(char c) { return beginsName(c) || std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.'; }

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

/// A negative number in brackets.
std::string factor(double number) {
  const std::string text = replaced(questions::numberText(number), "-", "−");
  return number < 0 ? "(" + text + ")" : text;
}

}  // namespace

std::string prettyFormula(const std::string& formula) {
  std::string pretty = formula;
  // A rounded-up quotient has brackets of its own.
  constexpr std::string_view kCeil = "ceil(";
  for (std::size_t at = pretty.find(kCeil); at != std::string::npos; at = pretty.find(kCeil, at)) {
    int depth = 1;
    std::size_t close = at + kCeil.size();
    while (close < pretty.size() && (depth += pretty[close] == '(' ? 1 : pretty[close] == ')' ? -1 : 0) > 0) {
      ++close;
    }
    if (close == pretty.size()) { break; }
    pretty.replace(close, 1, "⌉");
    pretty.replace(at, kCeil.size(), "⌈");
  }
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kSigns = {
      {{" ^ 2", "²"}, {" ^ 3", "³"}, {"*", "×"}, {" - ", " − "}, {" && ", ", "}, {"<=", "≤"}}};
  for (const auto& [from, to] : kSigns) { pretty = replaced(pretty, from, to); }
  return pretty;
}

Formulas::Formulas(const Values& values) : lists_(values) {
  for (const auto& [name, list] : values) {
    if (list.size() == 1) { numbers_[name] = list.front(); }
    numbers_[name + ".size"] = static_cast<double>(list.size());
  }
}

const std::vector<double>& Formulas::list(const std::string& name) const {
  const auto found = lists_.find(name);
  if (found == lists_.end()) { throw InputError("there is no list " + name); }
  return found->second;
}

double Formulas::number(const std::string& formula, const std::string& name) const {
  const auto found = numbers_.find(name);
  if (found == numbers_.end()) { throw InputError(trf("the formula \"{}\" has no number for {}", formula, name)); }
  return found->second;
}

std::optional<std::vector<Formulas::Product>> Formulas::products(const std::string& formula) const {
  static const std::regex kForm(R"((sum|flipped)\((\w+), (\w+), (\w+)\))");
  std::smatch parts;
  if (!std::regex_match(formula, parts, kForm)) { return std::nullopt; }
  const bool flipped = parts[1] == "flipped";
  const std::vector<double>& x = list(parts[2]);
  const std::vector<double>& f = list(parts[3]);
  const auto first = static_cast<std::int64_t>(number(formula, parts[4])) - static_cast<std::int64_t>(f.size() / 2);
  std::vector<Product> products;
  for (std::size_t k = 0; k < f.size(); ++k) {
    const std::int64_t at = first + static_cast<std::int64_t>(k);
    const bool ghost = at < 0 || at >= static_cast<std::int64_t>(x.size());
    products.push_back({f[flipped ? f.size() - 1 - k : k], ghost ? 0 : x[static_cast<std::size_t>(at)]});
  }
  return products;
}

double Formulas::value(const std::string& formula) const {
  if (const auto sum = products(formula)) {
    double result = 0;
    for (const Product& product : *sum) { result += product.weight * product.element; }
    return result;
  }
  return Expression(formula).evaluateAsking(
      [&](const std::string& name, std::size_t) { return number(formula, name); });
}

std::string Formulas::withNumbers(const std::string& formula) const {
  if (const auto sum = products(formula)) {
    std::string text;
    for (const Product& product : *sum) {
      text += (text.empty() ? "" : " + ") + factor(product.weight) + " × " + factor(product.element);
    }
    return text;
  }
  std::string text;
  bool names = false;
  for (std::size_t at = 0; at < formula.size();) {
    if (!beginsName(formula[at])) {
      text += formula[at++];
      continue;
    }
    std::size_t end = at;
    while (end < formula.size() && continuesName(formula[end])) { ++end; }
    const std::string name = formula.substr(at, end - at);
    const auto found = numbers_.find(name);
    text += found == numbers_.end() ? name : factor(found->second);
    names = names || found != numbers_.end();
    at = end;
  }
  return names ? prettyFormula(text) : std::string();
}

}  // namespace haloscope::exercises
