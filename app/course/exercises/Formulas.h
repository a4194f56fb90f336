#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "exercises/Worked.h"

namespace haloscope::exercises {

/// Evaluates formulas over the numbers of an exercise, and shows them with the numbers put in. A list is named in
/// sum(x, f, i) and flipped(x, f, i), an output of the 1D convolution of x with the filter f, and by its length,
/// x.size.
class Formulas {
 public:
  explicit Formulas(const Values& values);

  void define(const std::string& name, double value) { numbers_[name] = value; }
  /// Throws InputError for a mistake in the formula.
  [[nodiscard]] double value(const std::string& formula) const;
  /// "2 × 2"; empty if the formula names nothing.
  [[nodiscard]] std::string withNumbers(const std::string& formula) const;
  /// The numbers without the lists.
  [[nodiscard]] const std::map<std::string, double>& numbers() const { return numbers_; }

 private:
  /// The factors of an output, in the order of the filter.
  struct Product {
    double weight = 0, element = 0;
  };
  /// A formula that is sum(x, f, i) or flipped(x, f, i) as a whole, as its products. Nothing: it is another formula.
  [[nodiscard]] std::optional<std::vector<Product>> products(const std::string& formula) const;
  [[nodiscard]] const std::vector<double>& list(const std::string& name) const;
  [[nodiscard]] double number(const std::string& formula, const std::string& name) const;

  std::map<std::string, double> numbers_;
  Values lists_;
};

}  // namespace haloscope::exercises
