#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "program/Launch.h"
#include "running/OwnCheck.h"

/// Other contents for an array that a program copies to the host.
namespace haloscope::running {

/// An array of these elements that has these bytes.
[[nodiscard]] ArrayData arrayOf(ValueType element, std::span<const std::byte> bytes);

[[nodiscard]] bool holdsNan(const ArrayData& array);

/// Lets some values change places whose difference shows: what depends on the values alone, such as their sum or their
/// range, stays as it is. `which`: results of different numbers change other ones, and another number of them. False,
/// and nothing has changed, if the array has no such values.
bool exchangeValues(ArrayData& array, std::uint32_t which);
/// Gives both of some such values their mean, so that neither is an extreme any more.
bool averageValues(ArrayData& array);
/// Halves all values: what is equal stays equal, and what is below a bound stays below it. False if none changes.
bool halveValues(ArrayData& array);

/// Makes all elements the same: much larger, or much smaller, than any is. False if their type has no such values.
bool setFarOff(ArrayData& array, bool larger);

/// The contents of another array as elements like those of `like`, if it has as many of them, or of a floating-point
/// type twice or half as wide.
[[nodiscard]] std::optional<ArrayData> convertedTo(const ArrayData& like, std::span<const std::byte> other);

/// Whether a result of floating-point numbers lies close to another one, by what that itself varies.
[[nodiscard]] bool isCloseTo(const ArrayData& found, const ArrayData& expected);

/// How a result differs from the expected one.
[[nodiscard]] RejectedResult differenceOf(const ArrayData& found, const ArrayData& expected);

}  // namespace haloscope::running
