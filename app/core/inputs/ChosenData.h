#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "inputs/NumberTable.h"
#include "language/Text.h"

/// What the user chose for the arrays of a launch, in place of the values that Haloscope makes up.
namespace haloscope::inputs {

/// Indices of an element, slowest axis first.
using ElementIndex = std::vector<std::int64_t>;

enum class Pattern : std::uint8_t {
  Default,       ///< as if nothing was chosen
  Impulse,       ///< 1 at one element, 0 elsewhere
  Ramp,          ///< the sum of an element's indices
  Checkerboard,  ///< 0 and 1 in turn along each axis
  Constant,
  Random,
  Formula,  ///< of an element's indices x (fastest axis), y and z, the sizes and the tunables
  Numbers,  ///< a list, or those of a file
};

/// What one array holds as a launch begins.
struct ArrayChoice {
  Pattern pattern = Pattern::Default;
  ElementIndex at{};       ///< of the Impulse; empty: the middle
  double constant = 0;     ///< of Constant
  std::uint64_t seed = 0;  ///< of Random
  std::string formula{};
  std::shared_ptr<const NumberTable> numbers{};  ///< of Numbers
  std::string file{};                            ///< they come from; empty: a list
  std::map<ElementIndex, double> cells{};        ///< single elements that differ from all that

  [[nodiscard]] bool isDefault() const { return pattern == Pattern::Default && cells.empty(); }
  /// Two tables of the same numbers are equal.
  bool operator==(const ArrayChoice& other) const;
};

/// By the array's name.
using ChosenData = std::map<std::string, ArrayChoice>;

/// Adds "in=ramp" (NAME=SPEC) or "in@3,4=5" (one element) to what was chosen so far; a SPEC replaces the array's
/// pattern and its single elements. Reads files. Throws InputError, which begins with the text's NAME.
void choose(ChosenData& data, const std::string& text);
/// The same, cut in two: "in", "ramp"; "in@3,4", "5".
void choose(ChosenData& data, const std::string& name, const std::string& spec);

/// The texts from which choose() makes this choice.
[[nodiscard]] std::vector<std::string> texts(const ChosenData& data);

/// For the user, without the single elements: "impulse at [3][4]", "8, 2, 5, …", "random numbers, seed 7".
[[nodiscard]] std::string describe(const ArrayChoice& choice);
/// A number as it would be typed: the shortest text that is read as the same double.
[[nodiscard]] std::string typed(double value);

/// How a SPEC is written, for --help.
inline constexpr const char* kSpecHelp = trMark(
    "NAME=SPEC: what an input, filter or coefficient array holds: impulse[@I,J,K], ramp, checkerboard, constant:V, "
    "random:SEED, formula:F of the indices x, y, z and the sizes, numbers (8,2,5; rows separated by /), @FILE (.csv, "
    ".npy or a picture), default. NAME@I,J,K=V: one "
    "element, slowest axis first");

}  // namespace haloscope::inputs
