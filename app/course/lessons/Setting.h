#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "catalogue/KernelFile.h"
#include "experiment/Experiment.h"

namespace haloscope::lessons {

/// What is executed for a lesson, a value, a question or an animation, and the numbers that its texts name.
struct Setting {
  std::string kernel;
  Bindings with;                             ///< sizes and tunables that differ from their defaults
  std::map<std::string, std::string> data;   ///< what arrays begin with, by array, as --data has it
  std::optional<Dim3> block;                 ///< none: an interior one
  std::map<std::string, std::int64_t> free;  ///< names that the kernel does not have: `i` in "what is out[{{i}}]?"
  bool operator==(const Setting&) const = default;
};

/// Gives a name of a `with` its value: a size, a tunable, the precision ("double"), an array's data, or a free name.
/// Throws InputError.
void assign(Setting& setting, const std::string& name, const std::string& value, const KernelFile& file);

/// What `inner` asks for where `outer` is the surroundings: another kernel takes nothing but the free names from there.
[[nodiscard]] Setting within(const Setting& outer, const Setting& inner);

[[nodiscard]] experiment::Choice choiceOf(const Setting& setting);

/// A text in which {{i + 1}} stands for a number that needs no execution. Throws InputError.
[[nodiscard]] std::string withNumbers(const std::string& text, const Setting& setting, const KernelFile& file);

}  // namespace haloscope::lessons
