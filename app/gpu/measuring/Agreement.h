#pragma once

#include "program/Launch.h"
#include "program/Program.h"

namespace haloscope::measuring {

/// How far two executions of one kernel are apart.
struct Agreement {
  /// Largest difference of two elements, relative to the largest value of their array; infinite where one of them is
  /// NaN and the other is not. For integers the difference itself.
  double difference = 0;
  double tolerance = 0;  ///< of the array that differs most, see toleranceOf()
  [[nodiscard]] bool pass() const { return difference <= tolerance; }
};

/// Whether two launches of `program` left the same bits in their global arrays; NaN is the same as any other NaN.
[[nodiscard]] bool sameBits(const Program& program, const Launch& one, const Launch& other);

/// Compares the global arrays that two launches of `program` left. A GPU rounds a * b + c once where the emulator
/// rounds twice, so floating-point numbers may differ by some hundred units in the last place, and integers that
/// were floating-point ones by one.
[[nodiscard]] Agreement agreementOf(const Program& program, const Launch& one, const Launch& other);

}  // namespace haloscope::measuring
