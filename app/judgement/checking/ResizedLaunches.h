#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "checking/SiblingRunner.h"

namespace haloscope::checking {

/// A scalar argument of a launch as an integer.
[[nodiscard]] std::int64_t integerArgument(const SiblingRunner& runner, std::size_t scalar);
/// The bits of an integer as an argument of this type.
[[nodiscard]] std::uint64_t bitsOf(std::int64_t value, ValueType type);

/// Launches of a kernel with other integers than `own` has, by position in SiblingRunner::scalars, with arrays that
/// have its sizes by the text. How its blocks follow the sizes is not known: as its text suggests, and with as many
/// more of them, or of threads, as the sizes are larger. None where the text cannot tell the sizes of the arrays.
[[nodiscard]] std::vector<SiblingRunner> resizedLaunches(const Sibling& kernel, const SiblingRunner& own,
                                                         const std::map<std::size_t, std::int64_t>& integers);

}  // namespace haloscope::checking
