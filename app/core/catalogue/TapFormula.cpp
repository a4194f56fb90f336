#include "catalogue/TapFormula.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>

#include "language/Text.h"
#include "program/SourceLocation.h"

namespace haloscope {

/// Recursive descent, in C's order of precedence.
class TapFormula::Parser {
 public:
  explicit Parser(TapFormula& formula) : formula_(formula), text_(formula.text_) {}

  void read() {
    choice();
    skip();
    if (at_ < text_.size()) { fail(tr("an operator is missing")); }
  }

 private:
  using Level = void (Parser::*)();
  struct Operator {
    std::string_view sign;
    Do what;
  };

  [[noreturn]] void fail(const std::string& why) const {
    throw InputError(trf("in the formula \"{}\", character {}: {}", text_, at_ + 1, why));
  }
  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) { ++at_; }
  }
  bool take(std::string_view sign) {
    skip();
    if (std::string_view(text_).substr(at_, sign.size()) != sign) { return false; }
    at_ += sign.size();
    return true;
  }
  void expect(std::string_view sign) {
    if (!take(sign)) { fail(trf("\"{}\" is missing", sign)); }
  }
  void add(Do what) { formula_.steps_.push_back({.what = what}); }

  /// Operators of one precedence, from the left.
  template <std::size_t count>
  void chain(Level operand, const std::array<Operator, count>& operators) {
    (this->*operand)();
    while (true) {
      const auto found = std::ranges::find_if(operators, [this](const Operator& one) { return take(one.sign); });
      if (found == operators.end()) { return; }
      (this->*operand)();
      add(found->what);
    }
  }

  void choice() {
    either();
    if (!take("?")) { return; }
    choice();
    expect(":");
    choice();
    add(Do::Choose);
  }
  void either() { chain(&Parser::both, std::array{Operator{"||", Do::Or}}); }
  void both() { chain(&Parser::comparison, std::array{Operator{"&&", Do::And}}); }
  void comparison() {
    chain(&Parser::sum,
          std::array{Operator{"<=", Do::LessEqual}, Operator{">=", Do::GreaterEqual}, Operator{"==", Do::Equal},
                     Operator{"!=", Do::Differ}, Operator{"<", Do::Less}, Operator{">", Do::Greater}});
  }
  void sum() { chain(&Parser::product, std::array{Operator{"+", Do::Add}, Operator{"-", Do::Subtract}}); }
  void product() {
    chain(&Parser::sign,
          std::array{Operator{"*", Do::Multiply}, Operator{"/", Do::Divide}, Operator{"%", Do::Remainder}});
  }

  void sign() {
    constexpr int kDeepest = 200;  // brackets and signs: a stack has an end
    if (++depth_ > kDeepest) { fail(tr("too many brackets within each other")); }
    if (take("-")) {
      sign();
      add(Do::Negate);
    } else if (take("!")) {
      sign();
      add(Do::Not);
    } else {
      primary();
    }
    --depth_;
  }

  void primary() {
    if (take("(")) {
      choice();
      expect(")");
      return;
    }
    skip();
    const char first = at_ < text_.size() ? text_[at_] : '\0';
    if (std::isdigit(static_cast<unsigned char>(first)) != 0 || first == '.') {
      double value = 0;
      const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
      if (error != std::errc()) { fail(tr("a number is expected")); }
      at_ = static_cast<std::size_t>(end - text_.data());
      formula_.steps_.push_back({.what = Do::Number, .number = value});
      return;
    }
    const std::string word = name();
    if (take("[")) {
      tap(word);
    } else if (take("(")) {
      call(word);
    } else {
      formula_.steps_.push_back({.what = Do::Scalar, .index = indexOf(formula_.scalars_, word)});
    }
  }

  std::string name() {
    const std::size_t begin = at_;
    const auto inName = [this] {
      return at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '_');
    };
    while (inName()) { ++at_; }
    if (at_ == begin) { fail(tr("a number, a name or a bracket is expected")); }
    return text_.substr(begin, at_ - begin);
  }

  template <typename T>
  static std::size_t indexOf(std::vector<T>& all, const T& one) {
    const auto found = std::ranges::find(all, one);
    const auto index = static_cast<std::size_t>(found - all.begin());
    if (found == all.end()) { all.push_back(one); }
    return index;
  }

  void tap(const std::string& array) {
    constexpr int kFarthest = 64;
    std::vector<int> offsets;
    do {
      const bool negative = take("-");
      skip();
      int offset = 0;
      const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), offset);
      if (error != std::errc() || offset < 0 || offset > kFarthest) {
        fail(trf("an offset from -{0} to {0} is expected", kFarthest));
      }
      at_ = static_cast<std::size_t>(end - text_.data());
      offsets.push_back(negative ? -offset : offset);
    } while (take(","));
    expect("]");
    if (offsets.size() > 3) { fail(tr("an array has at most three axes")); }
    Tap one{.array = array};
    std::ranges::copy(offsets, one.offset.begin() + static_cast<std::ptrdiff_t>(3 - offsets.size()));
    formula_.steps_.push_back({.what = Do::Tap, .index = indexOf(formula_.taps_, one)});
  }

  void call(const std::string& function) {
    choice();
    if (function == "abs") {
      add(Do::Abs);
    } else if (function == "min" || function == "max") {
      expect(",");
      choice();
      add(function == "min" ? Do::Min : Do::Max);
    } else {
      fail(trf("there is no function \"{}\"; there are min, max and abs", function));
    }
    expect(")");
  }

  TapFormula& formula_;
  const std::string& text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

TapFormula::TapFormula(std::string text) : text_(std::move(text)) { Parser(*this).read(); }

TapFormula::Value TapFormula::evaluate(std::span<const Value> taps, std::span<const double> scalars) const {
  std::array<Value, 64> stack{};
  std::size_t top = 0;  // one above the last
  const auto truth = [](bool is) { return Value{is ? 1.0L : 0.0L, is ? 1.0 : 0.0}; };
  for (const Step& step : steps_) {
    if (step.what <= Do::Scalar) {
      if (top == stack.size()) { throw InputError(trf("the formula \"{}\" is too deep", text_)); }
      stack[top++] = step.what == Do::Number ? Value{step.number, std::abs(step.number)}
                     : step.what == Do::Tap  ? taps[step.index]
                                             : Value{scalars[step.index], std::abs(scalars[step.index])};
      continue;
    }
    Value& last = stack[top - 1];
    if (step.what == Do::Negate || step.what == Do::Not || step.what == Do::Abs) {
      last = step.what == Do::Not ? truth(last.value == 0)
                                  : Value{step.what == Do::Abs ? std::abs(last.value) : -last.value, last.magnitude};
      continue;
    }
    if (step.what == Do::Choose) {
      top -= 2;
      stack[top - 1] = stack[top - 1].value != 0 ? stack[top] : stack[top + 1];
      continue;
    }
    const Value b = last;
    Value& a = stack[--top - 1];
    switch (step.what) {
      case Do::Add:
        a = {a.value + b.value, a.magnitude + b.magnitude};
        break;
      case Do::Subtract:
        a = {a.value - b.value, a.magnitude + b.magnitude};
        break;
      case Do::Multiply:
        a = {a.value * b.value, a.magnitude * b.magnitude};
        break;
      case Do::Divide:
        a = {a.value / b.value, a.magnitude / static_cast<double>(std::abs(b.value))};
        break;
      case Do::Remainder:
        a = {std::fmod(a.value, b.value), a.magnitude};
        break;
      case Do::Less:
        a = truth(a.value < b.value);
        break;
      case Do::LessEqual:
        a = truth(a.value <= b.value);
        break;
      case Do::Greater:
        a = truth(a.value > b.value);
        break;
      case Do::GreaterEqual:
        a = truth(a.value >= b.value);
        break;
      case Do::Equal:
        a = truth(a.value == b.value);
        break;
      case Do::Differ:
        a = truth(a.value != b.value);
        break;
      case Do::And:
        a = truth(a.value != 0 && b.value != 0);
        break;
      case Do::Or:
        a = truth(a.value != 0 || b.value != 0);
        break;
      case Do::Min:
        a = a.value <= b.value ? a : b;
        break;
      default:  // Do::Max
        a = a.value >= b.value ? a : b;
        break;
    }
  }
  return stack[0];
}

}  // namespace haloscope
