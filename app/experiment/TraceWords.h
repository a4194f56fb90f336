#pragma once

#include <string>

#include "analysis/OutputTrace.h"
#include "recording/BlockView.h"
#include "recording/Recording.h"

namespace haloscope::experiment {

/// The names that a trace is told in. What it is made of must outlive it.
class TraceWords {
 public:
  TraceWords(const recording::Recording& recording, const recording::Footprint& footprint)
      : recording_(recording), footprint_(footprint), program_(*recording.program) {}

  /// "in[6][5][6]": an element by the shape that the launch gave its array.
  [[nodiscard]] std::string element(ObjectId object, std::int64_t index) const;
  [[nodiscard]] std::string operand(const analysis::Operand& operand) const;
  /// "(3,0,2)": threadIdx.
  [[nodiscard]] std::string thread(std::uint32_t index) const;
  [[nodiscard]] std::string place(const analysis::Hop& hop) const;
  /// "interior", "halo", "constant", "literal", "uninitialised", "other array".
  [[nodiscard]] std::string role(const analysis::Operand& operand) const;
  [[nodiscard]] int line(StatementId statement) const;  ///< 0 for none

 private:
  const recording::Recording& recording_;
  const recording::Footprint& footprint_;
  const Program& program_;
};

}  // namespace haloscope::experiment
