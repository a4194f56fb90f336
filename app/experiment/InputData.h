#pragma once

#include <cstdint>
#include <string>

#include "program/KernelFile.h"
#include "program/Launch.h"

/// What a launch computes on. Everything is deterministic: the same sizes give the same values on every machine.
namespace haloscope::experiment {

enum class InputKind : std::uint8_t {
  Blobs,   ///< a few smooth hills, or what the header says (see fillShown); a derivative's own weights
  Random,  ///< independent values, of whole numbers by their type (see Filling): smooth data would hide misplaced taps
  Zero,    ///< nothing but zeros, made quickly: for counting, where values do not matter
  Shape,   ///< global arrays have their extents but no bytes: for a GPU that fills them itself
};

/// A number in [0, 1) that depends on the seed and the index only.
[[nodiscard]] double randomUnit(std::uint64_t seed, std::int64_t index);
/// Fills a grid of any rank with smooth hills in 0…1; of whole numbers in 0…255.
void fillBlobs(ArrayData& array);
/// Fills an input with what the header says that it holds (ArrayDeclaration::values), or with smooth hills.
void fillShown(const KernelFile& file, const Bindings& bindings, const std::string& name, ArrayData& array);
/// Fills a floating-point array with values in [-1, 1) that depend on `seed` and the index only.
void fillRandom(ArrayData& array, std::uint64_t seed);
/// Fills an array of coefficients: all different, positive, with the sum 1, so that repeated sweeps stay bounded and
/// no two taps can be exchanged unnoticed. Whole numbers are different and positive.
void fillWeights(ArrayData& array);

/// Reads or writes one element as a number, whatever its type.
[[nodiscard]] double valueAt(const ArrayData& array, std::int64_t element);
void setValue(ArrayData& array, std::int64_t element, double value);

/// Bytes of all arrays that makeLaunch makes. Throws as it does.
[[nodiscard]] std::int64_t arrayBytes(const KernelFile& file, const Bindings& bindings, const Program& program);

/// A launch of `file` at `bindings`: arrays shaped, inputs filled, weights filled, outputs poisoned with NaN. Border
/// points that keep their value start with the input's, as they would between two sweeps.
/// Throws InputError, or SourceError naming a parameter that the header does not explain.
Launch makeLaunch(const KernelFile& file, const Bindings& bindings, const Program& program, InputKind kind);

}  // namespace haloscope::experiment
