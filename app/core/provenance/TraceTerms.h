#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "program/Program.h"
#include "provenance/OutputTrace.h"

namespace haloscope::provenance {

/// One summand of an output: a product `coefficient × value`, an operand alone, or what other arithmetic made of
/// several.
struct Term {
  bool negative = false;                ///< it is subtracted
  bool fused = false;                   ///< its product is not rounded before it is added
  std::vector<std::uint32_t> operands;  ///< all that it is made of: indices into OutputTrace::operands
  std::optional<std::uint32_t>
      coefficient;                       ///< of a product: the factor that is not a point of the input, else the first
  std::optional<std::uint32_t> value{};  ///< of a product of two operands, and of an operand alone
  std::uint64_t bits = 0;                ///< what it contributes, before the sign; a fused product, rounded
};

/// An output as the kernel added it up.
struct TermSum {
  ValueType type = ValueType::F32;  ///< in which it was added up; the output may have been rounded to another
  std::vector<Term> terms;          ///< in the order of the additions
  bool exact = false;               ///< in this order they sum to exactly the output, a number
};

/// Splits an output into its summands: the chain of additions that ends in it. Where an addition takes two sums, one of
/// them stays a term of its own. `input` is the array of points: the other factor of one of its points is a
/// coefficient.
[[nodiscard]] TermSum termsOf(const Program& program, const OutputTrace& trace, ObjectId input);

}  // namespace haloscope::provenance
