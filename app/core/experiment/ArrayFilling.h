#pragma once

#include <cstdint>
#include <string>

#include "program/Launch.h"
#include "program/Program.h"

/// Initial contents of an array, chosen by its type and by the kernel's use of its values.
namespace haloscope::experiment {

enum class Filling : std::uint8_t {
  Reals,     ///< floating-point numbers in [-1, 1)
  Bytes,     ///< 0 to 255: an image's grey values
  Wholes,    ///< integers from -100 to 100 (one-byte types: -128 to 127)
  Naturals,  ///< integers from 0 to 255
  Flags,     ///< false and true
  Indices,   ///< a permutation of the indices of the arrays that the kernel indexes with them
  Zeros,     ///< counters: integers that the kernel adds to atomically, or a single integer that it writes
};

/// The filling of an array in global or constant memory without given values.
[[nodiscard]] Filling fillingOf(const Program& program, ObjectId object, std::int64_t elements);

/// Whether elements of `object`, as they are or computed with, become part of an index, or a divisor.
[[nodiscard]] bool steers(const Program& program, ObjectId object);

/// The size of the smallest array indexed by elements of `object`, at most `elements`. `launch` has the arrays'
/// extents.
[[nodiscard]] std::int64_t indexBound(const Program& program, const Launch& launch, ObjectId object);

/// Fills `array`; the same seed gives the same values. `bound` is the largest of the Indices plus one.
void fill(ArrayData& array, Filling filling, std::uint64_t seed, std::int64_t bound);

/// "random numbers from -1 to 1"
[[nodiscard]] std::string describe(Filling filling, ValueType element);

}  // namespace haloscope::experiment
