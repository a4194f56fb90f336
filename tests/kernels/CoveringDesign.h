#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "catalogue/KernelFile.h"

/// Covering designs: few combinations in which any two things meet.
namespace haloscope::test {

/// Combinations of one level of each factor, in which each pair of levels of two factors occurs. `levels`: of each
/// factor how many there are. Greedy: a few more than are necessary.
[[nodiscard]] std::vector<std::vector<std::size_t>> pairsOf(const std::vector<std::size_t>& levels);

/// The values of a tunable that have a launch while the others have their defaults: all to 64, beyond it the multiples
/// of 64 and their neighbours.
[[nodiscard]] std::vector<std::int64_t> tileSizesOf(const KernelFile& file, const Tunable& tunable);

/// Launches of a kernel in which tile sizes, edges and, where `types`, types meet two by two. Of each tunable there are
/// the smallest value, the largest and three that depend on `turn`, which all turns together exhaust; two that are too
/// large for one block meet with the others' defaults; where there is no launch even so, it is left out, and said
/// (Sampled.h). `apart`: by how much the edge of each further axis is longer.
[[nodiscard]] std::vector<Bindings> coveringLaunches(const KernelFile& file, std::size_t turn,
                                                     const std::vector<std::int64_t>& edges, std::int64_t apart,
                                                     bool types);

/// Calls `launch` with each of them. Refusals for the want of shared memory, which what a text declares decides, are
/// left out; that of more than half of them is a failure, as any other refusal is.
void eachLaunch(const std::vector<Bindings>& launches, const std::function<void(const Bindings&)>& launch);

/// Which of the catalogue's variants it is.
[[nodiscard]] std::size_t turnOf(const KernelFile& file);

}  // namespace haloscope::test
