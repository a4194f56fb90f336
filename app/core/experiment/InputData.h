#pragma once

#include <cstdint>
#include <string>

#include "catalogue/KernelFile.h"
#include "inputs/ChosenData.h"
#include "program/Launch.h"

/// The input data of a launch. Deterministic: the same sizes give the same values on every machine.
namespace haloscope::experiment {

enum class InputKind : std::uint8_t {
  Blobs,   ///< smooth hills or the header's values (see fillShown); a derivative's true weights
  Random,  ///< independent values (integers: see Filling), as smooth data would hide misplaced taps
  Zero,    ///< zeros, for fast counting where values do not matter
  Shape,   ///< global arrays have extents but no data, for a GPU that fills them itself
};

/// A number in [0, 1) that depends on the seed and the index only.
[[nodiscard]] double randomUnit(std::uint64_t seed, std::int64_t index);
/// Fills a grid of any rank with smooth hills in 0…1; integers in 0…255.
void fillBlobs(ArrayData& array);
/// Fills an input with the header's values (ArrayDeclaration::values), or with smooth hills.
void fillShown(const KernelFile& file, const Bindings& bindings, const std::string& name, ArrayData& array);
/// Fills a floating-point array with values in [-1, 1) that depend on `seed` and the index only.
void fillRandom(ArrayData& array, std::uint64_t seed);
/// Fills an array of coefficients: distinct, positive, with sum 1, so that repeated sweeps stay bounded and swapped
/// taps are detected. Integers are distinct and positive. Each of several factors (Computes::factors) has others.
void fillWeights(ArrayData& array, std::size_t factor = 0);
/// Does so if the header's definition takes weights from the array `name`; returns whether it does.
bool fillIfWeights(const KernelFile& file, const std::string& name, ArrayData& array);

/// Reads or writes one element as a number, whatever its type.
[[nodiscard]] double valueAt(const ArrayData& array, std::int64_t element);
void setValue(ArrayData& array, std::int64_t element, double value);
/// Whether bytes have many different values: fewer may be kinds of points, by which something is looked up.
[[nodiscard]] bool isPicture(const ArrayData& array);
/// Each element becomes one of another array of the same type, by chance.
void fillFrom(ArrayData& array, const ArrayData& values, std::uint64_t seed);

/// Total bytes of the arrays made by makeLaunch. Throws as makeLaunch.
[[nodiscard]] std::int64_t arrayBytes(const KernelFile& file, const Bindings& bindings, const Program& program);

/// A launch of `file` at `bindings`: inputs and weights filled, outputs poisoned with NaN. Border points that keep
/// their value start with the input's, as they would between two sweeps. Arrays of KernelFile::data that have the right
/// size are taken from there, for Blobs and Random. What `chosen` says of an array comes before all that, except for
/// Shape. Throws InputError, also for chosen data that do not fit, or SourceError for a parameter without a value in
/// the header.
Launch makeLaunch(const KernelFile& file, const Bindings& bindings, const Program& program, InputKind kind,
                  const inputs::ChosenData& chosen = {});
/// Whether all global arrays of such a launch were taken from KernelFile::data.
[[nodiscard]] bool holdsLaunchData(const KernelFile& file, const Program& program, const Launch& launch);

}  // namespace haloscope::experiment
