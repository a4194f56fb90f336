#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiment/Experiment.h"
#include "worksheet/BlockPicture.h"
#include "worksheet/ThreadTrace.h"

/// Which values are left out for a student to find. The same execution has the same blanks.
namespace haloscope::worksheet {

/// A cell of the picture that is to be filled in.
struct Blank {
  std::string name;        ///< "out[12][13][14]"
  std::string value;       ///< as it is printed in the cell
  std::string derivation;  ///< how it comes about: "2 · 7 + 1 · 4", or the element that it is a copy of
  bool copy = false;       ///< it is a copy
};

/// Marks cells of the picture as blanks and returns them in the order of their numbers: copies of input elements that
/// are drawn, and outputs whose operands are. Those that the trace prints are none of them, those that it hides all.
[[nodiscard]] std::vector<Blank> chooseBlanks(BlockPicture& picture, const experiment::Experiment& experiment,
                                              const ThreadTrace& trace);

/// A value in the room of a cell: whole numbers as they are, others to three digits.
[[nodiscard]] std::string cellText(ValueType type, std::uint64_t bits);

/// A number that looks as if drawn by chance, and depends on its arguments alone.
[[nodiscard]] std::uint64_t scattered(std::string_view text, std::uint64_t number);

}  // namespace haloscope::worksheet
