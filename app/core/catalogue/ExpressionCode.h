#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "catalogue/Expression.h"

namespace haloscope {

/// An expression parsed once, to be evaluated with any numbers: instructions for a stack of numbers.
class ExpressionCode {
 public:
  /// Throws InputError, which says what is wrong with the text but not which text it is. `functions` may be called
  /// besides those that every expression knows; they are called where the text comes to them.
  explicit ExpressionCode(std::string_view text, std::span<const ExpressionFunction> functions = {});

  /// The names that need a number, each once, in the order of the text, and the character at which it is first named,
  /// from 1.
  struct Name {
    std::string text;
    std::size_t character;
  };
  [[nodiscard]] const std::vector<Name>& names() const { return names_; }
  /// `values`: one for each name.
  [[nodiscard]] double evaluate(std::span<const double> values) const;

 private:
  enum class Do : std::uint8_t {
    Number,
    Name,
    Negate,
    Not,
    Or,
    And,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    Differ,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Power,
    Known,  ///< a function that every expression knows, of `count` numbers
    Given,  ///< one of `functions`
    Jump,   ///< to `index`
    JumpIfZero,
  };
  struct Step {
    Do what = Do::Number;
    std::uint32_t count = 0;
    std::size_t index = 0;
    double number = 0;
  };
  class Parser;

  std::vector<Step> steps_;
  std::vector<Name> names_;
  std::span<const ExpressionFunction> functions_;
};

}  // namespace haloscope
