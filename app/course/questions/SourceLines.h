#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiment/Experiment.h"
#include "questions/Origin.h"

namespace haloscope::questions {

class Execution;

/// Lines of the kernel's text that an execution singles out.
struct NamedLines {
  const char* name;
  const char* meaning;  ///< half a sentence
  Origin origin;
  std::vector<int> (*lines)(Execution& execution);  ///< ascending; each is a right answer
};
[[nodiscard]] std::span<const NamedLines> namedLines();
/// nullptr: there are none of this name.
[[nodiscard]] const NamedLines* findLines(const std::string& name);

/// The first step of the recorded block at the first source line that contains a text; "TEXT#2" is the second step
/// there. Of a thread, only the steps in which it takes part count. Throws InputError if there is none.
[[nodiscard]] std::size_t stepAt(const experiment::Experiment& experiment, const std::string& text,
                                 std::optional<std::uint32_t> thread = std::nullopt);

/// How often thread 0 of the recorded block executes the first line that contains a text and that the block executes.
/// Throws InputError if there is no such line.
[[nodiscard]] std::size_t timesAt(const experiment::Experiment& experiment, const std::string& text);

}  // namespace haloscope::questions
