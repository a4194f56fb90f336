#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace haloscope {

/// An arithmetic expression of a kernel file's header: + - * / ^, parentheses, ceil, floor, min, max, over the names of
/// sizes and tunables, and sizeof(REAL) where the header's "precision" has REAL. Division is that of real numbers.
class Expression {
 public:
  Expression() : text_("1") {}
  explicit Expression(std::string text) : text_(std::move(text)) {}

  [[nodiscard]] const std::string& text() const { return text_; }
  /// Throws InputError naming the expression and what is wrong with it (an unknown name, a syntax error).
  [[nodiscard]] double evaluate(const std::map<std::string, std::int64_t>& values) const;
  /// As evaluate(), with names whose values need not be whole.
  [[nodiscard]] double evaluateReal(const std::map<std::string, double>& values) const;
  /// Calls visit(value) at each point of a grid with these extents (slowest axis first), the fastest axis fastest.
  /// Beside `values` the expression may name x, y and z: the point's indices, x along the fastest axis. Throws as
  /// evaluate().
  void evaluateOver(const std::array<std::int64_t, 3>& extents, const std::map<std::string, std::int64_t>& values,
                    const std::function<void(double)>& visit) const;
  /// As evaluate(), which must give a whole number.
  [[nodiscard]] std::int64_t evaluateInteger(const std::map<std::string, std::int64_t>& values) const;
  /// Each X of a sizeof(X) in it.
  [[nodiscard]] std::vector<std::string> sizedTypes() const;
  bool operator==(const Expression&) const = default;

 private:
  std::string text_;
};

}  // namespace haloscope
