#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "program/Launch.h"

/// What a kernel takes otherwise than another computation whose result it should have, tap by tap: each of the two is
/// executed on an input that is zero, and on one that is zero except for one element. Their results then have the
/// weights with which this element is taken.
namespace haloscope::experiment {

/// An input of zeros that is otherwise like `array`, with `value` at an element.
[[nodiscard]] ArrayData zeros(const ArrayData& array);
[[nodiscard]] ArrayData impulse(const ArrayData& array, std::int64_t at, double value = 1);

/// Results of one computation, points of one array.
struct Response {
  ArrayData zero, impulse;
};

/// Whether the response to an impulse of 3 is three times that to an impulse of 1.
[[nodiscard]] bool isLinear(const Response& once, const ArrayData& threefold);

struct NamedCoefficient {
  std::string name;  ///< "c[3]"
  double value = 0;
};

/// How a message calls what it is about.
struct TapNames {
  std::string array{};                              ///< the input, "u"
  std::vector<std::int64_t> sizes{};                ///< numbers that may be lengths of rows and columns
  std::vector<NamedCoefficient> coefficients = {};  ///< that differ
  std::string other;                                ///< "heat_cpu", "the others"
  bool several = false;                             ///< others
};

struct TapDifference {
  /// "it takes u[y - 1][x] × 0.25 where heat_cpu takes it × 0.125"; empty: too much differs to name it.
  std::string text;
  /// At most half of the points that either takes; or all of them, by the same factor, with other weights, or
  /// rearranged.
  bool few = false;
  /// Another filter, as far as the two texts say: a larger or smaller radius; or, without coefficients that both are
  /// given, the same weights rearranged, as Sobel's, or other ones for most of the neighbours.
  bool isOther = false;
  /// It takes one neighbour twice and the opposite one not at all, and is otherwise like the other computation.
  bool twice = false;
  bool isFactor = false;  ///< all by the same factor
  bool numbers = false;   ///< the text has weights that are none of the coefficients
};

/// Weights by steps along the axes, the slowest first.
using PlacedWeights = std::map<std::vector<std::int64_t>, double>;
/// How the expected weights were rearranged: "transposed (rows as columns)", "flipped along all axes"; empty: not so.
[[nodiscard]] std::string rearrangement(const PlacedWeights& found, const PlacedWeights& expected, double tolerance);

/// `at`: the element that was not zero. None if both take it alike.
[[nodiscard]] std::optional<TapDifference> tapDifference(const Response& found, const Response& expected,
                                                         std::int64_t at, const TapNames& names);

/// Which points of a result follow from a point of the input, seen by changing that: also of what is not linear, as a
/// maximum, or a rule of an automaton, where one change shows some of them alone.
class Dependence {
 public:
  /// `at`: the element that is another one for `changed`.
  void add(std::int64_t at, const ArrayData& base, const ArrayData& changed);
  /// By distance from the computed point, at how many of the changes it followed.
  [[nodiscard]] const std::map<std::int64_t, int>& distances() const { return distances_; }

 private:
  std::map<std::int64_t, int> distances_;
};
/// The neighbours that one of the two takes and the other one, with the same changes, never: "it depends on u[y][x +
/// 2], unlike life_cpu". Empty: none, or too many for a mistake.
[[nodiscard]] std::string neighbourDifference(const Dependence& found, const Dependence& expected,
                                              const TapNames& names);

/// One in the middle of so many, but not the half of them, which often ends with a row, where points of the
/// neighbourhood are missing.
[[nodiscard]] std::int64_t insideOf(std::int64_t count);

/// Elements to try one after the other if a result is wrong at these points, ascending, the first of `all`: some of
/// them, and neighbours. Where most of the `count` points are wrong, one in the middle comes first: near a border,
/// points that would take it are missing.
[[nodiscard]] std::vector<std::int64_t> impulsesFor(const std::vector<std::int64_t>& wrong, std::int64_t all,
                                                    std::int64_t count);

}  // namespace haloscope::experiment
