#pragma once

#include <string>

#include "provenance/OperandRoles.h"
#include "provenance/OutputTrace.h"
#include "recording/BlockView.h"
#include "recording/Recording.h"

namespace haloscope::experiment {

/// The texts of a trace. Keeps references to its arguments.
class TraceWords {
 public:
  TraceWords(const recording::Recording& recording, const recording::Footprint& footprint)
      : recording_(recording), footprint_(footprint), program_(*recording.program) {}

  /// "in[6][5][6]": an element, by the shape of its array in the launch.
  [[nodiscard]] std::string element(ObjectId object, std::int64_t index) const;
  /// The array element, the variable, or "a literal"; for a ghost cell the point it represents: "in[-1][0]".
  [[nodiscard]] std::string operand(const provenance::Operand& operand, const provenance::OperandPlace& place) const;
  /// "0.685161"; "NaN" for a floating-point value that is not a number.
  [[nodiscard]] std::string value(ValueType type, std::uint64_t bits) const;
  [[nodiscard]] std::string value(ValueType type, std::uint64_t bits, int digits) const;  ///< significant digits
  /// "(3,0,2)": threadIdx.
  [[nodiscard]] std::string thread(std::uint32_t index) const;
  [[nodiscard]] std::string place(const provenance::Hop& hop) const;
  [[nodiscard]] int line(StatementId statement) const;  ///< 0 for none
  [[nodiscard]] std::uint32_t interval(std::uint32_t step) const { return recording_.steps[step].interval; }
  /// "i = 3": the iteration of the plane loop that contains a step; empty outside it.
  [[nodiscard]] std::string plane(std::uint32_t step) const;
  /// "step 12, interval 1, i = 3", steps counted from 1.
  [[nodiscard]] std::string when(std::uint32_t step) const;
  /// What is wrong with the operand, as one sentence; empty if nothing is.
  [[nodiscard]] std::string fault(const provenance::Operand& operand, const provenance::OperandPlace& place) const;

 private:
  const recording::Recording& recording_;
  const recording::Footprint& footprint_;
  const Program& program_;
};

}  // namespace haloscope::experiment
