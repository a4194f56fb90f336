#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "state/AppState.h"

/// The user's selection among the origins of an output.
namespace haloscope {

/// One line of the sum: a term, or, of a term that is not a product of two numbers, one of the operands it is made of.
struct OriginRow {
  std::uint32_t term = 0;                    ///< index into the sum's terms
  std::optional<std::uint32_t> operand;      ///< the point or number that it is about; none: of several
  std::optional<std::uint32_t> coefficient;  ///< the one before it
  bool nested = false;                       ///< belongs to the line of its term above
};
[[nodiscard]] std::vector<OriginRow> originRows(const experiment::TracedOutput& traced);

/// The requested trace, if it is available and of the experiment on screen.
[[nodiscard]] const experiment::TracedOutput* shownOrigins(const AppState& state);

/// Selects the thread that writes an output element, and this of its outputs.
void chooseOutput(AppState& state, std::int64_t element);
/// Brings out an operand; the cursor goes to the step that loaded it.
void chooseOperand(AppState& state, std::uint32_t operand);
/// The one before (-1) or after (+1) it in the order of the rows; the first if none is chosen.
void chooseNeighbourOperand(AppState& state, int by);
/// The cursor goes to a step, and the output that is being followed stays.
void goToOrigin(AppState& state, std::uint32_t step);

}  // namespace haloscope
