#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// Formulas in a small part of TeX: fractions, exponents, indices, sums with limits, roots, brackets that grow, floor,
/// ceiling, Greek letters.
namespace haloscope::lessons {

struct FormulaNode {
  enum class Kind : std::uint8_t {
    Row,       ///< its parts, side by side
    Symbol,    ///< text of one style
    Fraction,  ///< parts: numerator, denominator
    Scripts,   ///< parts: base, exponent, index; the last two may be empty rows
    Large,     ///< a sum: text; parts: upper limit, lower limit
    Root,      ///< parts: the radicand
    Fenced,    ///< between brackets that are as high as it: parts: content; text and closing: the brackets
    Space,     ///< width, in ems
  };
  /// How much room a symbol needs around it.
  enum class Class : std::uint8_t { Ordinary, Operator, Relation, Punctuation, Function };

  Kind kind = Kind::Row;
  Class spacing = Class::Ordinary;
  bool italic = false;
  std::string text{}, closing{};
  float width = 0;
  std::vector<FormulaNode> parts{};
};

/// Whether the part of a row is a plus or minus in front of a number, and not an operation between two.
[[nodiscard]] bool isSign(const std::vector<FormulaNode>& row, std::size_t part);

/// Throws InputError that names what is unknown or unbalanced.
[[nodiscard]] FormulaNode parseFormula(const std::string& tex);

/// The formula in one line, for a terminal: "(2·25)/(25·4)".
[[nodiscard]] std::string plainFormula(const FormulaNode& formula);

}  // namespace haloscope::lessons
