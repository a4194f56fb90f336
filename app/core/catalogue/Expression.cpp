#include "catalogue/Expression.h"

#include <fmt/format.h>
#include <muParser.h>

#include <cmath>
#include <cstddef>
#include <optional>
#include <regex>
#include <unordered_map>

#include "language/Text.h"
#include "program/SourceLocation.h"

namespace haloscope {

namespace {

/// A parser that knows the functions and these names.
template <typename Number>
mu::Parser parserWith(const std::map<std::string, Number>& values) {
  mu::Parser parser;
  // grid.nx: the field of a struct.
  parser.DefineNameChars("0123456789_.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
  parser.DefineFun("ceil", static_cast<double (*)(double)>(std::ceil));
  parser.DefineFun("floor", static_cast<double (*)(double)>(std::floor));
  parser.DefineOprt("%", static_cast<double (*)(double, double)>(std::fmod), mu::prMUL_DIV);
  parser.DefineFun("sizeof", +[](double bytes) { return bytes; });  // a type's value is its size
  parser.DefineInfixOprt("!", +[](double value) { return value == 0 ? 1.0 : 0.0; });
  for (const auto& [name, value] : values) { parser.DefineConst(name, static_cast<double>(value)); }
  return parser;
}

/// muParser's error as an InputError that names the expression.
template <typename Work>
auto explained(const std::string& text, Work work) {
  try {
    return work();
  } catch (const mu::Parser::exception_type& error) {
    std::string message = error.GetMsg();
    while (!message.empty() && (message.back() == '.' || message.back() == '\n')) { message.pop_back(); }
    throw InputError(trf("in the expression \"{}\": {}", text, message));
  }
}

/// For muParser, which calls functions and not objects.
double call(void* function, const double* numbers, int count) {
  return static_cast<const ExpressionFunction*>(function)->value({numbers, static_cast<std::size_t>(count)});
}

bool beginsName(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isDecimal(char c) { return c >= '0' && c <= '9'; }

/// The names in a text, and where each begins for the first time; the first character is 1. Names followed by a bracket
/// are functions.
std::map<std::string, std::size_t> namesIn(const std::string& text) {
  std::map<std::string, std::size_t> names;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at++;
    if (!beginsName(text[begin]) && !isDecimal(text[begin])) { continue; }
    while (at < text.size() && (beginsName(text[at]) || isDecimal(text[at]) || text[at] == '.')) { ++at; }
    const std::size_t next = text.find_first_not_of(" \t", at);
    const bool function = next != std::string::npos && text[next] == '(';
    if (beginsName(text[begin]) && !function) { names.try_emplace(text.substr(begin, at - begin), begin + 1); }
  }
  return names;
}

/// An expression that was parsed once and is evaluated with other numbers. Making a parser takes a hundred times as
/// long, and headers have the same few expressions.
class Parsed {
 public:
  /// Throws as mu::Parser does.
  explicit Parsed(const std::string& text) : parser_(parserWith(std::map<std::string, double>{})) {
    for (const auto& [name, character] : namesIn(text)) { names_.push_back(name); }
    numbers_.resize(names_.size());
    for (std::size_t i = 0; i < names_.size(); ++i) { parser_.DefineVar(names_[i], &numbers_[i]); }
    parser_.SetExpr(text);
  }
  Parsed(const Parsed&) = delete;
  Parsed& operator=(const Parsed&) = delete;

  /// Nothing if a name has no value.
  template <typename Number>
  std::optional<double> evaluate(const std::map<std::string, Number>& values) {
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const auto value = values.find(names_[i]);
      if (value == values.end()) { return std::nullopt; }
      numbers_[i] = static_cast<double>(value->second);
    }
    return parser_.Eval();
  }

 private:
  std::vector<std::string> names_;
  std::vector<double> numbers_;  ///< of the names: the parser's variables
  mu::Parser parser_;
};

/// By a parser of this thread that has parsed the text before, or parses it now; nothing where there is something to
/// say about the text or its names.
template <typename Number>
std::optional<double> evaluatedAgain(const std::string& text, const std::map<std::string, Number>& values) {
  constexpr std::size_t kMost = 256;
  static thread_local std::unordered_map<std::string, Parsed> known;
  try {
    auto parsed = known.find(text);
    if (parsed == known.end()) {
      if (known.size() >= kMost) { known.clear(); }
      parsed = known.try_emplace(text, text).first;
    }
    return parsed->second.evaluate(values);
  } catch (const mu::Parser::exception_type&) {
    known.erase(text);
    return std::nullopt;
  }
}

template <typename Number>
double evaluated(const std::string& text, const std::map<std::string, Number>& values) {
  if (const auto name = values.find(text); name != values.end()) { return static_cast<double>(name->second); }
  if (const std::optional<double> value = evaluatedAgain(text, values)) { return *value; }
  return explained(text, [&] {
    mu::Parser parser = parserWith(values);
    parser.SetExpr(text);
    return parser.Eval();
  });
}

}  // namespace

double Expression::evaluate(const std::map<std::string, std::int64_t>& values) const {
  return evaluated(text_, values);
}

double Expression::evaluateReal(const std::map<std::string, double>& values) const { return evaluated(text_, values); }

double Expression::evaluateAsking(const std::function<double(const std::string&, std::size_t)>& valueOf,
                                  std::span<const ExpressionFunction> functions) const {
  std::map<std::string, double> values;
  for (const auto& [name, character] : namesIn(text_)) { values[name] = valueOf(name, character); }
  return explained(text_, [&] {
    mu::Parser parser = parserWith(values);
    for (const ExpressionFunction& function : functions) {
      // Not when the expression is parsed: it may not reach the end.
      constexpr bool kAtParsing = false;
      parser.DefineFunUserData(function.name, call, const_cast<ExpressionFunction*>(&function), kAtParsing);
    }
    parser.SetExpr(text_);
    return parser.Eval();
  });
}

void Expression::evaluateOver(const std::array<std::int64_t, 3>& extents,
                              const std::map<std::string, std::int64_t>& values,
                              const std::function<void(double)>& visit) const {
  explained(text_, [&] {
    mu::Parser parser = parserWith(values);
    double x = 0;
    double y = 0;
    double z = 0;
    parser.DefineVar("x", &x);
    parser.DefineVar("y", &y);
    parser.DefineVar("z", &z);
    parser.SetExpr(text_);
    for (std::int64_t plane = 0; plane < extents[0]; ++plane) {
      z = static_cast<double>(plane);
      for (std::int64_t row = 0; row < extents[1]; ++row) {
        y = static_cast<double>(row);
        for (std::int64_t column = 0; column < extents[2]; ++column) {
          x = static_cast<double>(column);
          visit(parser.Eval());
        }
      }
    }
  });
}

std::int64_t Expression::evaluateInteger(const std::map<std::string, std::int64_t>& values) const {
  const double value = evaluate(values);
  if (!std::isfinite(value) || value != std::floor(value) || std::abs(value) > 9e15) {
    throw InputError(trf("the expression \"{}\" gives {}, but must give an integer", text_, value));
  }
  return static_cast<std::int64_t>(value);
}

std::vector<std::string> Expression::sizedTypes() const {
  static const std::regex kSizeof(R"(\bsizeof\s*\(\s*([^)]*?)\s*\))");
  std::vector<std::string> names;
  for (std::sregex_iterator at(text_.begin(), text_.end(), kSizeof); at != std::sregex_iterator(); ++at) {
    names.push_back((*at)[1]);
  }
  return names;
}

}  // namespace haloscope
