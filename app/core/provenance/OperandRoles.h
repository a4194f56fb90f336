#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "provenance/OutputTrace.h"
#include "recording/BlockView.h"
#include "recording/Recording.h"

namespace haloscope::provenance {

/// The role of an operand in the block.
enum class OperandRole : std::uint8_t {
  Interior,       ///< an input point whose output the block computes
  Halo,           ///< an input point outside the output tile
  Ghost,          ///< represents a point outside the array: a literal, by convention
  Constant,       ///< of constant memory: a coefficient
  Literal,        ///< a number of the text, an argument
  OtherArray,     ///< a global array that is not the input
  Uninitialised,  ///< read before anybody had written it
  Stale,          ///< read from a place before the thread it waits for had written it
  Overwritten,    ///< read from a place after another thread had written something newer
  OutOfBounds,    ///< read outside its array
};
[[nodiscard]] const char* name(OperandRole role);
[[nodiscard]] bool isFault(OperandRole role);

/// A write of another thread that an operand came too early or too late for.
struct MissedWrite {
  std::uint32_t thread = 0;
  std::uint32_t step = 0;
};

struct OperandPlace {
  OperandRole role = OperandRole::Literal;
  std::optional<recording::GridPoint> at;  ///< of the input; of a ghost: outside it
  std::optional<MissedWrite> missed;       ///< of Uninitialised and Stale: comes later; of Overwritten: came before
  std::optional<std::int64_t> instead;     ///< of Stale and Overwritten: the input element it takes side by side
};

/// The roles of a trace's operands. `recording` is of the trace's block and order, with its `footprint` and `carriers`.
/// `sideBySide`, if given, is the same output with the block's warps side by side: an operand that differs from it was
/// read too early or too late.
[[nodiscard]] std::vector<OperandPlace> placeOperands(const OutputTrace& trace,
                                                      const std::shared_ptr<const recording::Recording>& recording,
                                                      const recording::Footprint& footprint,
                                                      const std::vector<recording::Carrier>& carriers,
                                                      const std::optional<OutputTrace>& sideBySide);

}  // namespace haloscope::provenance
