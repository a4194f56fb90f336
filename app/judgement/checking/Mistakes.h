#pragma once

#include <optional>
#include <string>
#include <vector>

#include "checking/Evidence.h"

/// Common mistakes, each as a separate reference: what the points would hold if it had been made.
namespace haloscope::checking {

/// A supposed mistake: what the points would hold then, and the sentence that reports it.
struct Hypothesis {
  Predict predict;
  std::string message;
  std::optional<std::size_t> weight{};  ///< the one whose load is the place; none: the store to the output
};

/// What is done where a tap lies outside the array, or with the points that have such a tap.
[[nodiscard]] std::vector<Hypothesis> borderMistakes(const Evidence& evidence);
/// Blocks of threads that do not load the halo of their tiles.
[[nodiscard]] std::vector<Hypothesis> haloMistakes(const Evidence& evidence, const Dim3& block);
/// The whole filter: transposed, flipped, shifted, with a wrong distance between its rows.
[[nodiscard]] std::vector<Hypothesis> filterMistakes(const Evidence& evidence);
/// One or two taps: exchanged, left out, used twice, with another neighbour.
[[nodiscard]] std::vector<Hypothesis> tapMistakes(const Evidence& evidence);
/// The sum: where it starts, what it loses.
[[nodiscard]] std::vector<Hypothesis> sumMistakes(const Evidence& evidence);
/// The way from row and column to an element: exchanged, or with the wrong distance between rows.
[[nodiscard]] std::vector<Hypothesis> addressMistakes(const Evidence& evidence);

}  // namespace haloscope::checking
