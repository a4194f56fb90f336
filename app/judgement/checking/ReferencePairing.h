#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "checking/SiblingRunner.h"

namespace haloscope::checking {

/// Which of a kernel's arrays and scalars stand for those of a reference; none: the kernel has no such, its text says
/// what the reference is given.
struct Pairing {
  std::vector<std::optional<std::size_t>> arrays;   ///< by position in the reference's SiblingRunner::arrays
  std::vector<std::optional<std::size_t>> scalars;  ///< likewise
};

/// The pairings that the parameters allow: by types, and by which arrays are written. Kernels with the same parameters
/// have one, in their order; those with the same ones in another order, one by their names. For others names only
/// decide which is tried first: executing both tells which is meant.
[[nodiscard]] std::vector<Pairing> pairingsOf(const SiblingRunner& own, const SiblingRunner& reference);

}  // namespace haloscope::checking
