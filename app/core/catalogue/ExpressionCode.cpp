#include "catalogue/ExpressionCode.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <numeric>
#include <optional>
#include <utility>

#include "language/Text.h"
#include "program/SourceLocation.h"
#include "program/Words.h"

namespace haloscope {

namespace {

using Numbers = std::span<const double>;

struct KnownFunction {
  const char* name;
  std::uint32_t least, most;  ///< numbers that it takes
  double (*value)(Numbers);
};

constexpr std::uint32_t kAny = 1000;
constexpr std::array kFunctions = {
    KnownFunction{"ceil", 1, 1, [](Numbers x) { return std::ceil(x[0]); }},
    KnownFunction{"floor", 1, 1, [](Numbers x) { return std::floor(x[0]); }},
    KnownFunction{"abs", 1, 1, [](Numbers x) { return std::abs(x[0]); }},
    KnownFunction{"sqrt", 1, 1, [](Numbers x) { return std::sqrt(x[0]); }},
    KnownFunction{"exp", 1, 1, [](Numbers x) { return std::exp(x[0]); }},
    KnownFunction{"ln", 1, 1, [](Numbers x) { return std::log(x[0]); }},
    KnownFunction{"log2", 1, 1, [](Numbers x) { return std::log2(x[0]); }},
    KnownFunction{"log10", 1, 1, [](Numbers x) { return std::log10(x[0]); }},
    KnownFunction{"sin", 1, 1, [](Numbers x) { return std::sin(x[0]); }},
    KnownFunction{"cos", 1, 1, [](Numbers x) { return std::cos(x[0]); }},
    KnownFunction{"tan", 1, 1, [](Numbers x) { return std::tan(x[0]); }},
    KnownFunction{"tanh", 1, 1, [](Numbers x) { return std::tanh(x[0]); }},
    KnownFunction{"sizeof", 1, 1, [](Numbers x) { return x[0]; }},  // a type's value is its size
    KnownFunction{"min", 1, kAny, [](Numbers x) { return *std::ranges::min_element(x); }},
    KnownFunction{"max", 1, kAny, [](Numbers x) { return *std::ranges::max_element(x); }},
    KnownFunction{"sum", 1, kAny, [](Numbers x) { return std::accumulate(x.begin(), x.end(), 0.0); }},
};

bool beginsName(char c) { return isWord(c) && !isDigit(c); }

}  // namespace

class ExpressionCode::Parser {
 public:
  Parser(std::string_view text, ExpressionCode& code) : text_(text), code_(code) {}

  void parse() {
    choice();
    if (more()) { unexpected(); }
  }

 private:
  /// Binary operators from the loosest to the tightest; a longer one stands before those that it begins with.
  struct Operator {
    const char* text;
    Do what;
  };
  using Level = std::span<const Operator>;
  static constexpr std::array kOr = {Operator{"||", Do::Or}};
  static constexpr std::array kAnd = {Operator{"&&", Do::And}};
  static constexpr std::array kCompare = {Operator{"<=", Do::LessEqual}, Operator{">=", Do::GreaterEqual},
                                          Operator{"==", Do::Equal},     Operator{"!=", Do::Differ},
                                          Operator{"<", Do::Less},       Operator{">", Do::Greater}};
  static constexpr std::array kSum = {Operator{"+", Do::Add}, Operator{"-", Do::Subtract}};
  static constexpr std::array kProduct = {Operator{"*", Do::Multiply}, Operator{"/", Do::Divide},
                                          Operator{"%", Do::Remainder}};
  static constexpr std::array<Level, 5> kLevels = {kOr, kAnd, kCompare, kSum, kProduct};
  /// Each bracket and sign is a call of this parser.
  static constexpr int kMostDepth = 200;

  void choice() {
    if (++depth_ > kMostDepth) { throw InputError(tr("it is nested too deeply")); }
    binary(0);
    if (take("?")) {
      const std::size_t otherwise = emit({.what = Do::JumpIfZero});
      choice();
      expect(":");
      const std::size_t end = emit({.what = Do::Jump});
      code_.steps_[otherwise].index = code_.steps_.size();
      choice();
      code_.steps_[end].index = code_.steps_.size();
    }
    --depth_;
  }

  void binary(std::size_t level) {
    if (level == kLevels.size()) { return sign(); }
    binary(level + 1);
    while (const std::optional<Do> found = operatorOf(kLevels[level])) {
      binary(level + 1);
      emit({.what = *found});
    }
  }
  std::optional<Do> operatorOf(Level level) {
    const auto found = std::ranges::find_if(level, [&](const Operator& one) { return take(one.text); });
    return found == level.end() ? std::nullopt : std::optional(found->what);
  }

  /// A sign binds less than a power: -2^2 is -4.
  void sign() {
    if (++depth_ > kMostDepth) { throw InputError(tr("it is nested too deeply")); }
    if (take("-")) {
      sign();
      emit({.what = Do::Negate});
    } else if (take("+")) {
      sign();
    } else if (take("!")) {
      sign();
      emit({.what = Do::Not});
    } else {
      value();
      if (take("^")) {
        sign();  // from the right: 2^3^2 is 2^9
        emit({.what = Do::Power});
      }
    }
    --depth_;
  }

  void value() {
    if (take("(")) {
      choice();
      expect(")");
    } else if (more() && (isDigit(text_[at_]) || text_[at_] == '.')) {
      number();
    } else if (more() && beginsName(text_[at_])) {
      const std::size_t begin = at_;
      while (at_ < text_.size() && (isWord(text_[at_]) || text_[at_] == '.')) { ++at_; }  // grid.nx: a struct's field
      const std::string word(text_.substr(begin, at_ - begin));
      take("(") ? call(word) : name(word, begin + 1);
    } else {
      unexpected();
    }
  }
  void number() {
    double value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc()) { unexpected(); }
    at_ = static_cast<std::size_t>(end - text_.data());
    if (at_ < text_.size() && isWord(text_[at_])) { unexpected(); }
    emit({.number = value});
  }
  void name(const std::string& word, std::size_t character) {
    if (word == "_pi" || word == "_e") {
      emit({.number = word == "_e" ? std::numbers::e : std::numbers::pi});
      return;
    }
    auto known = std::ranges::find(code_.names_, word, &Name::text);
    if (known == code_.names_.end()) { known = code_.names_.insert(known, {word, character}); }
    emit({.what = Do::Name, .index = static_cast<std::size_t>(known - code_.names_.begin())});
  }
  void call(const std::string& word) {
    const auto given = std::ranges::find(code_.functions_, word, &ExpressionFunction::name);
    const auto known = std::ranges::find_if(kFunctions, [&](const KnownFunction& one) { return one.name == word; });
    if (given == code_.functions_.end() && known == kFunctions.end()) {
      throw InputError(trf("there is no function \"{}\"", word));
    }
    std::uint32_t count = 0;
    if (!take(")")) {
      do {
        choice();
        ++count;
      } while (take(","));
      expect(")");
    }
    if (given != code_.functions_.end()) {
      emit({.what = Do::Given, .count = count, .index = static_cast<std::size_t>(given - code_.functions_.begin())});
      return;
    }
    if (count < known->least || count > known->most) {
      throw InputError(trf("the function \"{}\" does not take {} values", word, count));
    }
    emit({.what = Do::Known, .count = count, .index = static_cast<std::size_t>(known - kFunctions.begin())});
  }

  std::size_t emit(const Step& step) {
    code_.steps_.push_back(step);
    return code_.steps_.size() - 1;
  }
  bool more() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) { ++at_; }
    return at_ < text_.size();
  }
  bool take(std::string_view token) {
    if (!more() || !text_.substr(at_).starts_with(token)) { return false; }
    at_ += token.size();
    return true;
  }
  void expect(std::string_view token) {
    if (!take(token)) { unexpected(); }
  }
  [[noreturn]] void unexpected() {
    if (!more()) { throw InputError(tr("it ends too early")); }
    throw InputError(trf("\"{}\" is not expected at character {}", text_.substr(at_, 1), at_ + 1));
  }

  std::string_view text_;
  ExpressionCode& code_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

ExpressionCode::ExpressionCode(std::string_view text, std::span<const ExpressionFunction> functions)
    : functions_(functions) {
  Parser(text, *this).parse();
}

double ExpressionCode::evaluate(std::span<const double> values) const {
  std::vector<double> stack;
  stack.reserve(16);
  const auto take = [&] {
    const double top = stack.back();
    stack.pop_back();
    return top;
  };
  const auto call = [&](const Step& step, const auto& function) {
    const double result = function(Numbers(stack).last(step.count));
    stack.resize(stack.size() - step.count);
    stack.push_back(result);
  };
  for (std::size_t at = 0; at < steps_.size(); ++at) {
    const Step& step = steps_[at];
    switch (step.what) {
      case Do::Number:
        stack.push_back(step.number);
        continue;
      case Do::Name:
        stack.push_back(values[step.index]);
        continue;
      case Do::Negate:
        stack.back() = -stack.back();
        continue;
      case Do::Not:
        stack.back() = stack.back() == 0;
        continue;
      case Do::Known:
        call(step, kFunctions[step.index].value);
        continue;
      case Do::Given:
        call(step, functions_[step.index].value);
        continue;
      case Do::JumpIfZero:
        if (take() != 0) { continue; }
        [[fallthrough]];
      case Do::Jump:
        at = step.index - 1;
        continue;
      default:
        break;
    }
    const double right = take();
    double& left = stack.back();
    switch (step.what) {
      case Do::Or:
        left = left != 0 || right != 0;
        break;
      case Do::And:
        left = left != 0 && right != 0;
        break;
      case Do::Less:
        left = left < right;
        break;
      case Do::LessEqual:
        left = left <= right;
        break;
      case Do::Greater:
        left = left > right;
        break;
      case Do::GreaterEqual:
        left = left >= right;
        break;
      case Do::Equal:
        left = left == right;
        break;
      case Do::Differ:
        left = left != right;
        break;
      case Do::Add:
        left += right;
        break;
      case Do::Subtract:
        left -= right;
        break;
      case Do::Multiply:
        left *= right;
        break;
      case Do::Divide:
        left /= right;
        break;
      case Do::Remainder:
        left = std::fmod(left, right);
        break;
      case Do::Power:
        left = std::pow(left, right);
        break;
      default:
        break;
    }
  }
  return stack.back();
}

}  // namespace haloscope
