#include "experiment/TapDifference.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <span>
#include <utility>

#include "experiment/InputData.h"
#include "language/Text.h"

namespace haloscope::experiment {

namespace {

/// A message names no more taps.
constexpr std::size_t kMostNamed = 4;
/// A result with more is not named: finding the array's rows takes their square.
constexpr std::size_t kMostTaps = 128;
/// A point further away than this along an axis belongs to no stencil.
constexpr std::int64_t kFarthest = 16;

/// Of the weights of an impulse of 1, in the type of the array.
double weightTolerance(const ArrayData& array) {
  constexpr double kHalf = 1e-2, kOther = 1e-5;
  return array.element == ValueType::F16 ? kHalf : kOther;
}

/// By element of the output, what it takes of the element that is not zero.
std::map<std::int64_t, double> weightsOf(const Response& response) {
  std::map<std::int64_t, double> weights;
  const std::int64_t count = std::min(response.zero.elementCount(), response.impulse.elementCount());
  for (std::int64_t i = 0; i < count; ++i) {
    const double difference = valueAt(response.impulse, i) - valueAt(response.zero, i);
    if (difference != 0 && !std::isnan(difference)) { weights[i] = difference; }
  }
  return weights;
}

/// Steps along the axes, slowest first.
using Steps = std::vector<std::int64_t>;

/// A distance in elements as steps along axes with these strides, the slowest first; the last one is 1.
Steps stepsOf(std::int64_t distance, std::span<const std::int64_t> strides) {
  Steps steps;
  for (const std::int64_t stride : strides) {
    const auto step =
        static_cast<std::int64_t>(std::llround(static_cast<double>(distance) / static_cast<double>(stride)));
    steps.push_back(step);
    distance -= step * stride;
  }
  return steps;
}

/// Of the ways to cut an array into rows and planes of these sizes, the one with fewest axes along which no distance is
/// far; else the one with which all distances are fewest steps. Empty: there is none.
std::vector<std::int64_t> stridesOf(const std::vector<std::int64_t>& distances, std::vector<std::int64_t> sizes) {
  constexpr std::int64_t kNear = 8;
  // No array is as long as the largest; their products must not overflow.
  std::erase_if(sizes, [](std::int64_t size) { return size <= kFarthest || size > (std::int64_t{1} << 31); });
  std::ranges::sort(sizes);
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  std::vector<std::vector<std::int64_t>> all{{1}};
  for (const std::int64_t row : sizes) { all.push_back({row, 1}); }
  for (const std::int64_t row : sizes) {
    for (const std::int64_t rows : sizes) {
      all.push_back({row * rows, row, 1});
      if (rows > row) { all.push_back({rows, row, 1}); }
    }
  }
  std::vector<std::int64_t> best;
  std::int64_t fewest = kFarthest + 1;
  for (std::vector<std::int64_t>& strides : all) {
    if (strides.size() > best.size() && fewest <= kNear) { break; }
    std::int64_t most = 0;
    for (const std::int64_t distance : distances) {
      for (const std::int64_t step : stepsOf(distance, strides)) { most = std::max(most, std::abs(step)); }
    }
    if (most < fewest) {
      fewest = most;
      best = std::move(strides);
    }
  }
  return best;
}

/// By the sizes that are known; where these do not fit, a distance may be one.
std::vector<std::int64_t> stridesFor(const std::vector<std::int64_t>& distances, std::vector<std::int64_t> sizes) {
  std::vector<std::int64_t> strides = stridesOf(distances, sizes);
  if (!strides.empty()) { return strides; }
  for (const std::int64_t distance : distances) { sizes.push_back(std::abs(distance)); }
  return stridesOf(distances, std::move(sizes));
}

const char* axisOf(std::size_t axis, std::size_t rank) {
  static constexpr std::array kAxes{"z", "y", "x"};
  return kAxes.at(kAxes.size() - rank + axis);
}

std::string tapName(const std::string& array, std::int64_t distance, const std::vector<std::int64_t>& strides) {
  const auto indexed = [](const char* axis, std::int64_t step) {
    return step == 0 ? std::string(axis) : fmt::format("{} {} {}", axis, step < 0 ? '-' : '+', std::abs(step));
  };
  if (strides.size() < 2) { return fmt::format("{}[{}]", array, indexed("i", distance)); }
  const Steps steps = stepsOf(distance, strides);
  std::string name = array;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    name += fmt::format("[{}]", indexed(axisOf(i, steps.size()), steps[i]));
  }
  return name;
}

/// Sets `number` if no coefficient has that weight.
std::string weightText(double weight, double tolerance, const std::vector<NamedCoefficient>& coefficients,
                       bool& number) {
  for (const double sign : {1.0, -1.0}) {
    for (const NamedCoefficient& one : coefficients) {
      if (one.value != 0 && std::abs(weight - sign * one.value) <= tolerance * std::abs(one.value)) {
        return (sign < 0 ? "-" : "") + one.name;
      }
    }
  }
  for (const NamedCoefficient& one : coefficients) {
    for (const NamedCoefficient& other : coefficients) {
      const double sum = one.value + other.value;
      if (one.value != 0 && other.value != 0 && std::abs(weight - sum) <= tolerance * std::abs(sum)) {
        return fmt::format("({} + {})", one.name, other.name);
      }
    }
  }
  number = true;
  return fmt::format("{:.4g}", weight);
}

struct TapWeights {
  double found = 0, expected = 0;
};

/// Whether these are a neighbour taken twice and the opposite one, which is left out.
bool isOneTwice(std::span<const std::pair<std::int64_t, TapWeights>> differing, double tolerance) {
  if (differing.size() != 2 || differing[0].first + differing[1].first != 0) { return false; }
  const auto isTwice = [&](const TapWeights& doubled, const TapWeights& missing) {
    return std::abs(missing.found) <= tolerance && std::abs(missing.expected) > tolerance &&
           std::abs(doubled.expected - missing.expected) <= tolerance &&
           std::abs(doubled.found - 2 * doubled.expected) <= tolerance;
  };
  return isTwice(differing[0].second, differing[1].second) || isTwice(differing[1].second, differing[0].second);
}

/// Whether one of the two takes pairs of opposite neighbours that the other does not take: a larger radius, or the
/// corners, too.
template <typename IsNone>
bool isOtherReach(std::span<const std::pair<std::int64_t, TapWeights>> differing, const IsNone& isNone) {
  const auto onlyOneTakes = [&](double TapWeights::* left, double TapWeights::* taken) {
    return std::ranges::all_of(differing, [&](const auto& one) {
      const auto isOpposite = [&](const auto& other) { return other.first == -one.first; };
      return one.first != 0 && isNone(one.second.*left) && !isNone(one.second.*taken) &&
             std::ranges::any_of(differing, isOpposite);
    });
  };
  return onlyOneTakes(&TapWeights::found, &TapWeights::expected) ||
         onlyOneTakes(&TapWeights::expected, &TapWeights::found);
}

/// Whether the two take the same, from points that lie elsewhere.
bool isMoved(const std::map<std::int64_t, TapWeights>& taps, double tolerance) {
  std::vector<std::pair<std::int64_t, double>> found, expected;
  for (const auto& [distance, weights] : taps) {
    if (std::abs(weights.found) > tolerance) { found.emplace_back(distance, weights.found); }
    if (std::abs(weights.expected) > tolerance) { expected.emplace_back(distance, weights.expected); }
  }
  return std::ranges::equal(found, expected, [&](const auto& one, const auto& other) {
    return one.first - found.front().first == other.first - expected.front().first &&
           std::abs(one.second - other.second) <= tolerance;
  });
}

/// By how much all weights were multiplied, if by anything.
std::optional<double> commonFactor(const std::map<std::int64_t, TapWeights>& taps, double tolerance) {
  std::optional<double> factor;
  for (const auto& [distance, weights] : taps) {
    if (weights.expected == 0) { return std::nullopt; }
    const double own = weights.found / weights.expected;
    if (factor && !(std::abs(own - *factor) <= tolerance * std::abs(*factor))) { return std::nullopt; }
    factor = factor.value_or(own);
  }
  return factor != 0.0 ? factor : std::nullopt;
}

}  // namespace

ArrayData zeros(const ArrayData& array) {
  ArrayData all = array;
  std::ranges::fill(all.bytes, std::byte{0});
  return all;
}

ArrayData impulse(const ArrayData& array, std::int64_t at, double value) {
  ArrayData one = zeros(array);
  setValue(one, at, value);
  return one;
}

bool isLinear(const Response& once, const ArrayData& threefold) {
  constexpr double kTimes = 3;
  const std::map<std::int64_t, double> weights = weightsOf(once);
  const std::map<std::int64_t, double> larger = weightsOf({once.zero, threefold});
  double most = 0;
  for (const auto& [at, weight] : weights) { most = std::max(most, std::abs(weight)); }
  const double tolerance = kTimes * most * weightTolerance(threefold);
  const auto valueIn = [](const std::map<std::int64_t, double>& all, std::int64_t at) {
    const auto known = all.find(at);
    return known == all.end() ? 0.0 : known->second;
  };
  return std::ranges::all_of(weights,
                             [&](const auto& one) {
                               return std::abs(valueIn(larger, one.first) - kTimes * one.second) <= tolerance;
                             }) &&
         std::ranges::all_of(
             larger, [&](const auto& one) { return std::abs(one.second) <= tolerance || weights.contains(one.first); });
}

std::string rearrangement(const PlacedWeights& found, const PlacedWeights& expected, double tolerance) {
  if (expected.empty()) { return {}; }
  const std::size_t rank = expected.begin()->first.size();
  const auto at = [](const PlacedWeights& all, const Steps& place) {
    const auto known = all.find(place);
    return known == all.end() ? 0.0 : known->second;
  };
  const auto becomes = [&](auto&& moved) {
    const auto same = [&](const auto& one) {
      return std::abs(at(found, moved(one.first)) - at(expected, one.first)) <= tolerance;
    };
    return found.size() == expected.size() && std::ranges::all_of(expected, same);
  };
  const auto exchanged = [](std::size_t a, std::size_t b) {
    return [a, b](Steps steps) {
      std::swap(steps[a], steps[b]);
      return steps;
    };
  };
  const auto negated = [](std::size_t from, std::size_t to) {
    return [from, to](Steps steps) {
      for (std::size_t i = from; i < to; ++i) { steps[i] = -steps[i]; }
      return steps;
    };
  };
  if (becomes(negated(0, rank))) { return rank == 1 ? tr("in reverse order") : tr("flipped along all axes"); }
  if (rank == 2 && becomes(exchanged(0, 1))) { return tr("transposed (rows as columns)"); }
  constexpr std::int64_t kFarthestShift = 3;
  for (std::size_t a = 0; a < rank; ++a) {
    for (std::int64_t by = -kFarthestShift; by <= kFarthestShift; ++by) {
      const auto shifted = [&](Steps steps) {
        steps[a] += by;
        return steps;
      };
      if (by != 0 && becomes(shifted)) { return trf("shifted by {} along {}", by, axisOf(a, rank)); }
    }
    if (becomes(negated(a, a + 1))) { return trf("flipped along {}", axisOf(a, rank)); }
    for (std::size_t b = a + 1; b < rank; ++b) {
      if (becomes(exchanged(a, b))) { return trf("with {} and {} exchanged", axisOf(a, rank), axisOf(b, rank)); }
    }
  }
  return {};
}

std::optional<TapDifference> tapDifference(const Response& found, const Response& expected, std::int64_t at,
                                           const TapNames& names) {
  std::map<std::int64_t, TapWeights> taps;  // by distance from the computed point
  double largest = 0;
  for (const auto& [point, weight] : weightsOf(found)) { taps[at - point].found = weight; }
  for (const auto& [point, weight] : weightsOf(expected)) { taps[at - point].expected = weight; }
  for (const auto& [distance, weights] : taps) {
    largest = std::max({largest, std::abs(weights.found), std::abs(weights.expected)});
  }
  const double tolerance = std::max(weightTolerance(found.zero), weightTolerance(expected.zero));
  std::vector<std::int64_t> distances;
  std::vector<std::pair<std::int64_t, TapWeights>> differing;
  for (const auto& [distance, weights] : taps) {
    distances.push_back(distance);
    if (!(std::abs(weights.found - weights.expected) <= tolerance * largest)) {
      differing.emplace_back(distance, weights);
    }
  }
  if (differing.empty()) { return std::nullopt; }
  const auto isNone = [&](double weight) { return std::abs(weight) <= tolerance * largest; };
  // One point alone is taken by any function.
  const bool sameTaps = taps.size() > 1 && std::ranges::all_of(taps, [&](const auto& one) {
                          return isNone(one.second.found) == isNone(one.second.expected);
                        });
  // Weights that both take from the same coefficients belong to one filter; numbers in two texts may be two filters.
  const bool sameCoefficients = std::ranges::all_of(taps, [&](const auto& one) {
    const auto isGiven = [&](double weight) {
      bool number = false;
      if (!isNone(weight)) { weightText(weight, tolerance, names.coefficients, number); }
      return !number;
    };
    return isGiven(one.second.found) && isGiven(one.second.expected);
  });
  std::size_t shared = 0, sharedDiffering = 0;
  for (const auto& [distance, weights] : taps) { shared += !isNone(weights.found) && !isNone(weights.expected); }
  for (const auto& [distance, weights] : differing) {
    sharedDiffering += !isNone(weights.found) && !isNone(weights.expected);
  }
  const bool mostShared = shared > 2 && 2 * sharedDiffering > shared;
  const bool allDiffer = taps.size() > 2 && differing.size() == taps.size() && !isMoved(taps, tolerance * largest);
  const bool otherReach = isOtherReach(differing, isNone);
  TapDifference difference{.text = {},
                           .few = sameTaps || 2 * differing.size() <= taps.size(),
                           .isOther = otherReach || (!sameCoefficients && (mostShared || allDiffer)),
                           .twice = taps.size() > differing.size() && isOneTwice(differing, tolerance * largest)};
  // Points that are not computed take nothing.
  const bool noneTaken =
      differing.size() > 2 && std::ranges::all_of(differing, [&](const auto& one) { return isNone(one.second.found); });
  if (taps.size() > kMostTaps || noneTaken) { return difference; }
  if (const auto factor = commonFactor(taps, tolerance); factor && differing.size() > 1) {
    difference.few = true;
    difference.isOther = false;
    difference.isFactor = true;
    difference.text = trf("all its weights are {:.4g} times those of {}", *factor, names.other);
    return difference;
  }
  const std::vector<std::int64_t> strides = stridesFor(distances, names.sizes);
  if (strides.empty()) { return difference; }
  PlacedWeights placed;
  PlacedWeights expectedThere;
  for (const auto& [distance, weights] : taps) {
    const Steps steps = stepsOf(distance, strides);
    if (!isNone(weights.found)) { placed[steps] = weights.found; }
    if (!isNone(weights.expected)) { expectedThere[steps] = weights.expected; }
  }
  const std::string rearranged =
      expectedThere.size() > 1 ? rearrangement(placed, expectedThere, tolerance * largest) : std::string();
  if (!rearranged.empty()) {
    difference.few = true;
    difference.isOther = !sameCoefficients;
  }
  if (differing.size() > kMostNamed) {
    if (!rearranged.empty()) {
      difference.text = trf("it takes the weights of {} {}", names.other, rearranged);
    } else if (sameTaps) {
      difference.text =
          trf("it takes the same neighbours as {}, {} of them with another weight", names.other, differing.size());
    }
    return difference;
  }
  std::vector<std::string> parts;
  // What it takes comes first, then what it leaves out.
  std::ranges::stable_partition(differing, [&](const auto& one) { return !isNone(one.second.found); });
  for (const auto& [distance, weights] : differing) {
    const std::string name = tapName(names.array, distance, strides);
    const std::string own =
        isNone(weights.found) ? "" : weightText(weights.found, tolerance, names.coefficients, difference.numbers);
    const std::string other =
        isNone(weights.expected) ? "" : weightText(weights.expected, tolerance, names.coefficients, difference.numbers);
    const char* const takes = names.several ? "take" : "takes";
    if (isNone(weights.found)) {
      parts.push_back(trf("does not take {}, which {} {} × {}", name, names.other, takes, other));
    } else if (isNone(weights.expected)) {
      parts.push_back(
          trf("takes {} × {}, which {} {} not take", name, own, names.other, names.several ? tr("do") : tr("does")));
    } else {
      parts.push_back(trf("takes {} × {} where {} {} it × {}", name, own, names.other, takes, other));
    }
  }
  difference.text = trf("it {}", fmt::join(parts, tr(", and it ")));
  return difference;
}

void Dependence::add(std::int64_t at, const ArrayData& base, const ArrayData& changed) {
  const std::int64_t count = std::min(base.elementCount(), changed.elementCount());
  for (std::int64_t i = 0; i < count; ++i) {
    const double before = valueAt(base, i);
    const double after = valueAt(changed, i);
    if (before != after && !(std::isnan(before) && std::isnan(after))) { ++distances_[at - i]; }
  }
}

std::string neighbourDifference(const Dependence& found, const Dependence& expected, const TapNames& names) {
  // By chance a neighbour that counts is not seen to count so often.
  constexpr int kOften = 3;
  constexpr std::size_t kMostByMistake = 3;
  std::vector<std::int64_t> all, more, fewer;
  const auto onlyIn = [&](const Dependence& one, const Dependence& other, std::vector<std::int64_t>& only) {
    for (const auto& [distance, times] : one.distances()) {
      all.push_back(distance);
      if (times >= kOften && !other.distances().contains(distance)) { only.push_back(distance); }
    }
  };
  onlyIn(found, expected, more);
  onlyIn(expected, found, fewer);
  // Pairs of opposite neighbours that one of the two leaves out are another radius.
  const auto isPaired = [](const std::vector<std::int64_t>& only) {
    return !only.empty() && std::ranges::all_of(only, [&](std::int64_t one) {
      return one != 0 && std::ranges::find(only, -one) != only.end();
    });
  };
  if (more.size() > kMostByMistake || fewer.size() > kMostByMistake || all.size() > kMostTaps ||
      (more.empty() && isPaired(fewer)) || (fewer.empty() && isPaired(more))) {
    return {};
  }
  const std::vector<std::int64_t> strides = stridesFor(all, names.sizes);
  if (strides.empty()) { return {}; }
  std::vector<std::string> parts;
  for (const std::int64_t distance : more) {
    parts.push_back(trf("depends on {}, unlike {}", tapName(names.array, distance, strides), names.other));
  }
  for (const std::int64_t distance : fewer) {
    parts.push_back(trf("does not depend on {}, unlike {}", tapName(names.array, distance, strides), names.other));
  }
  return parts.empty() ? std::string() : trf("it {}", fmt::join(parts, tr(", and it ")));
}

std::int64_t insideOf(std::int64_t count) { return count * 37 / 69; }

std::vector<std::int64_t> impulsesFor(const std::vector<std::int64_t>& wrong, std::int64_t all, std::int64_t count) {
  std::vector<std::int64_t> elements;
  if (wrong.empty()) { return elements; }
  const auto add = [&](std::int64_t at) {
    if (at >= 0 && at < count && std::ranges::find(elements, at) == elements.end()) { elements.push_back(at); }
  };
  if (2 * all > count) { add(insideOf(count)); }
  const std::int64_t middle = wrong[static_cast<std::size_t>(insideOf(static_cast<std::int64_t>(wrong.size())))];
  for (const std::int64_t at : {middle, middle + 1, middle - 1, wrong.front(), wrong.back()}) { add(at); }
  return elements;
}

}  // namespace haloscope::experiment
