#pragma once

#include <cstdint>
#include <vector>

#include "program/Launch.h"
#include "program/Program.h"

namespace haloscope::provenance {

/// The 32-bit signed sums, differences and products that may not fit their type, and the unsigned numbers that may be
/// too large for the int that they become, found from the code, the sizes of the
/// launch and its arguments alone: what each integer can be is followed through the text as an interval, with the
/// conditions around it. No sum, difference or product that can overflow is missing; what is listed need not overflow.
class IntegerRanges {
 public:
  IntegerRanges(const Program& program, const Launch& launch);

  [[nodiscard]] bool mayOverflow(std::uint32_t instruction) const { return overflows_[instruction]; }

 private:
  std::vector<bool> overflows_;  ///< per Program::code
};

}  // namespace haloscope::provenance
