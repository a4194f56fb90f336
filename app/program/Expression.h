#pragma once

#include <cstdint>
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
  /// As evaluate(), which must give a whole number.
  [[nodiscard]] std::int64_t evaluateInteger(const std::map<std::string, std::int64_t>& values) const;
  /// Each X of a sizeof(X) in it.
  [[nodiscard]] std::vector<std::string> sizedTypes() const;

 private:
  std::string text_;
};

}  // namespace haloscope
