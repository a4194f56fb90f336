#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace haloscope {

/// A function that an expression may call with any number of numbers.
struct ExpressionFunction {
  std::string name;
  std::function<double(std::span<const double>)> value;
};

/// An arithmetic expression in a kernel file's header: + - * / % ^, parentheses, ceil, floor, min, max, the names of
/// sizes and tunables, and sizeof(REAL) if REAL is the macro of the header's "precision". Division is real, not
/// integer; % is the remainder.
class Expression {
 public:
  Expression() : text_("1") {}
  explicit Expression(std::string text) : text_(std::move(text)) {}

  [[nodiscard]] const std::string& text() const { return text_; }
  /// Throws InputError naming the expression and what is wrong with it (an unknown name, a syntax error).
  [[nodiscard]] double evaluate(const std::map<std::string, std::int64_t>& values) const;
  /// As evaluate(), with values that need not be integers.
  [[nodiscard]] double evaluateReal(const std::map<std::string, double>& values) const;
  /// As evaluateReal(), asking for the value of each name that the expression contains, and of no other:
  /// valueOf(name, character), which throws for a name that it does not know; the first character is 1.
  [[nodiscard]] double evaluateAsking(const std::function<double(const std::string&, std::size_t)>& valueOf,
                                      std::span<const ExpressionFunction> functions = {}) const;
  /// Calls visit(value) at each point of a grid with these extents (slowest axis first), the fastest axis fastest.
  /// In addition to `values` the expression may name x, y and z: the point's indices, x along the fastest axis. Throws
  /// as evaluate().
  void evaluateOver(const std::array<std::int64_t, 3>& extents, const std::map<std::string, std::int64_t>& values,
                    const std::function<void(double)>& visit) const;
  /// As evaluate(); the result must be an integer.
  [[nodiscard]] std::int64_t evaluateInteger(const std::map<std::string, std::int64_t>& values) const;
  /// The X of each sizeof(X) in it.
  [[nodiscard]] std::vector<std::string> sizedTypes() const;
  bool operator==(const Expression&) const = default;

 private:
  std::string text_;
};

}  // namespace haloscope
