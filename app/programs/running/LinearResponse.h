#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "program/Launch.h"

/// Whether what a program compares a result with can be meant to be the same sum of the same data.
namespace haloscope::running {

/// How a result follows one element of its input: the weight by the distance, in elements, from there.
using Response = std::map<std::int64_t, double>;

/// From what a result becomes if `by` is added to element `at` of the input. None if it does not follow, or too many
/// elements do.
[[nodiscard]] std::optional<Response> responseOf(const ArrayData& result, const ArrayData& changed, std::int64_t at,
                                                 double by);
/// Whether two places of the input are followed alike: the result is a sum of neighbours with constant weights there.
[[nodiscard]] bool areAlike(const Response& one, const Response& other);

/// Whether what is expected is meant to be the same as a result.
enum class Kinship : std::uint8_t {
  Unknown,
  Same,   ///< both are sums of the same kind
  Other,  ///< the result is one, and what is expected is none
};

/// Where a result is that sum of `input` nearly everywhere: whether `expected` is a sum of this kind, with other
/// weights, of the neighbours on the other side, or of one more along an axis; or is none, or the input, moved, which
/// the result is not.
[[nodiscard]] Kinship kinshipOf(const ArrayData& input, const ArrayData& result, const ArrayData& expected,
                                const Response& response);

}  // namespace haloscope::running
