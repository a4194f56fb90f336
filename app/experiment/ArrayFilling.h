#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "program/Launch.h"
#include "program/Program.h"

/// What an array holds when a launch begins, chosen by its type and by what the kernel does with its values.
namespace haloscope::experiment {

enum class Filling : std::uint8_t {
  Reals,     ///< floating-point numbers in [-1, 1)
  Bytes,     ///< 0 to 255: an image's grey values
  Wholes,    ///< whole numbers of both signs, -100 to 100 (of one byte: -128 to 127)
  Naturals,  ///< whole numbers from 0 to 255
  Flags,     ///< false and true
  Indices,   ///< a permutation of the indices of the arrays that the kernel looks up with them
  Zeros,     ///< counters: integers that the kernel adds to atomically, or a single one that it writes
};

/// For an array in global or constant memory whose values stand nowhere.
[[nodiscard]] Filling fillingOf(const Program& program, ObjectId object, std::int64_t elements);

/// The smallest of the arrays that an element of `object` is an index of; as many as `elements` where none is smaller.
/// `launch` has the arrays' extents.
[[nodiscard]] std::int64_t indexBound(const Program& program, const Launch& launch, ObjectId object);

/// Fills `array`; the same seed gives the same values. `bound` is one more than the largest of the Indices.
void fill(ArrayData& array, Filling filling, std::uint64_t seed, std::int64_t bound);

/// "random numbers from -1 to 1"
[[nodiscard]] std::string describe(Filling filling, ValueType element);

}  // namespace haloscope::experiment
