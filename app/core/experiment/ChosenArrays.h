#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "catalogue/KernelFile.h"
#include "inputs/ChosenData.h"
#include "program/Launch.h"

/// Chosen data in the arrays of a launch.
namespace haloscope::experiment {

/// Whether the contents of an array of the kernel can be chosen: a launch provides it, and it is not the known output.
[[nodiscard]] bool canBeChosen(const KernelFile& file, const MemoryObject& object);
/// The arrays whose contents can be chosen.
[[nodiscard]] std::vector<std::string> choosableArrays(const KernelFile& file, const Program& program);

/// Writes what was chosen into the launch's arrays, which have their shapes. Throws InputError for an array that there
/// is not, an element outside, a table of another size, and a number that the elements' type does not hold.
void fillChosen(const KernelFile& file, const Bindings& bindings, const Program& program,
                const inputs::ChosenData& chosen, Launch& launch);

/// Sizes and tunables to be changed so that an array of the header has the extents of a table; those in `fixed` stay.
/// Empty if it has them already; nothing if no values give it them.
[[nodiscard]] std::optional<Bindings> sizesThatFit(const KernelFile& file, const Bindings& bindings,
                                                   const std::string& array, const inputs::NumberTable& table,
                                                   const std::set<std::string>& fixed = {});

/// What was chosen for arrays that another kernel also has, and that fits them at its bindings.
[[nodiscard]] inputs::ChosenData carryOver(const inputs::ChosenData& chosen, const KernelFile& file,
                                           const Bindings& bindings);

/// Why an element of this type cannot hold a number: a sentence without its end; empty if it can.
[[nodiscard]] std::string whyNotHeld(ValueType type, double value);

/// The index of an element of an array with these extents.
[[nodiscard]] inputs::ElementIndex indexIn(const std::vector<std::int64_t>& extents, std::int64_t element);

}  // namespace haloscope::experiment
