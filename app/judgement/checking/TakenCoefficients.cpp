#include "checking/TakenCoefficients.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "analysis/CoefficientArguments.h"
#include "analysis/ElementName.h"
#include "experiment/InputData.h"
#include "language/Text.h"

namespace haloscope::checking {

std::vector<TakenCoefficient> TakenCoefficients::of(const SiblingRunner& runner) const {
  std::vector<TakenCoefficient> all;
  for (std::size_t i = 0; i < runner.arrays.size(); ++i) {
    const std::int64_t count = data_[i].elementCount();
    if (runner.written[i] || count > kMaxCoefficients || !isFloating(data_[i].element)) { continue; }
    if (data_[i].bytes.empty()) { continue; }  // a constant array that the source initialises
    for (std::int64_t at = 0; at < count; ++at) { all.push_back({i, static_cast<std::size_t>(at)}); }
  }
  const std::vector<std::size_t> arguments = analysis::coefficientArguments(runner.program());
  for (std::size_t i = 0; i < runner.scalars.size(); ++i) {
    if (std::ranges::find(arguments, runner.scalars[i]) != arguments.end()) { all.push_back({std::nullopt, i}); }
  }
  return all.size() <= kMaxCoefficients ? all : std::vector<TakenCoefficient>{};
}

std::string TakenCoefficients::nameOf(const SiblingRunner& runner, const TakenCoefficient& coefficient) const {
  if (!coefficient.array) { return runner.program().parameters[runner.scalars[coefficient.index]].name; }
  const ObjectId object = runner.arrays[*coefficient.array];
  return analysis::elementName(runner.program(), object, static_cast<std::int64_t>(coefficient.index));
}

double TakenCoefficients::valueOf(const SiblingRunner& runner, const TakenCoefficient& coefficient) const {
  if (coefficient.array) {
    return experiment::valueAt(data_[*coefficient.array], static_cast<std::int64_t>(coefficient.index));
  }
  ArrayData bits{.element = runner.program().parameters[runner.scalars[coefficient.index]].type,
                 .extents = {1},
                 .bytes = std::vector<std::byte>(8)};
  std::memcpy(bits.bytes.data(), &scalars_[coefficient.index], bits.bytes.size());
  return experiment::valueAt(bits, 0);
}

/// The result with one coefficient 1 and all others 0.
std::optional<std::vector<ArrayData>> TakenCoefficients::alone(const SiblingRunner& runner,
                                                               const std::vector<TakenCoefficient>& all,
                                                               std::size_t one) const {
  std::vector<ArrayData> data = data_;
  std::vector<std::uint64_t> scalars = scalars_;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const double value = k == one ? 1 : 0;
    if (all[k].array) {
      experiment::setValue(data[*all[k].array], static_cast<std::int64_t>(all[k].index), value);
    } else {
      const ValueType type = runner.program().parameters[runner.scalars[all[k].index]].type;
      ArrayData bits{.element = type, .extents = {1}, .bytes = std::vector<std::byte>(8)};
      experiment::setValue(bits, 0, value);
      std::memcpy(&scalars[all[k].index], bits.bytes.data(), 8);
    }
  }
  return executed(runner, data, scalars, stop_);
}

std::string TakenCoefficients::exchanged(const SiblingRunner& right, const SiblingRunner& odd,
                                         const experiment::TapNames& names) const {
  const std::vector<TakenCoefficient> all = of(odd);
  if (all.size() < 2) { return {}; }
  std::vector<std::vector<ArrayData>> expected;
  std::vector<std::vector<ArrayData>> found;
  for (std::size_t k = 0; k < all.size(); ++k) {
    auto theirs = alone(right, all, k);
    auto own = alone(odd, all, k);
    if (!theirs || !own) { return {}; }
    expected.push_back(std::move(*theirs));
    found.push_back(std::move(*own));
  }
  std::vector<std::string> parts;
  std::vector<std::size_t> taken;  // the place that each has in the other kernel
  for (std::size_t k = 0; k < all.size(); ++k) {
    taken.push_back(k);
    if (differenceOf(odd, expected[k], found[k]).count == 0) { continue; }
    std::size_t as = all.size();
    for (std::size_t j = 0; j < all.size(); ++j) {
      if (differenceOf(odd, expected[j], found[k]).count == 0) { as = j; }
    }
    if (as == all.size()) { return {}; }
    taken.back() = as;
    parts.push_back(trf("{} where {} {} {}", nameOf(odd, all[k]), names.other, names.several ? tr("take") : tr("takes"),
                        nameOf(right, all[as])));
  }
  constexpr std::size_t kMostNamed = 4;
  if (parts.size() <= kMostNamed) {
    return parts.empty() ? std::string() : trf("it takes {}", fmt::join(parts, tr(", and ")));
  }
  const std::string& filter = odd.program().objects[odd.arrays[all.front().array.value_or(0)]].name;
  if (const std::string how = rearranged(all, taken); !how.empty()) {
    return trf("it takes {} {}, unlike {}", filter, how, names.other);
  }
  const std::size_t more = parts.size() - 3;
  parts.resize(3);
  return trf("it takes {}, and {} more otherwise", fmt::join(parts, tr(", and ")), more);
}

/// How a filter is taken whose elements are all coefficients, "transposed (rows as columns)"; or empty.
std::string TakenCoefficients::rearranged(const std::vector<TakenCoefficient>& all,
                                          const std::vector<std::size_t>& taken) const {
  const auto isOfFilter = [&](const TakenCoefficient& one) { return one.array && one.array == all.front().array; };
  if (!std::ranges::all_of(all, isOfFilter)) { return {}; }
  std::vector<std::int64_t> extents = data_[*all.front().array].extents;
  const auto side = static_cast<std::int64_t>(std::llround(std::sqrt(static_cast<double>(all.size()))));
  if (extents.size() == 1 && side * side == extents.front()) { extents = {side, side}; }
  // Twice the distance from the middle.
  const auto placeOf = [&](std::size_t element) {
    std::vector<std::int64_t> place(extents.size());
    auto rest = static_cast<std::int64_t>(element);
    for (std::size_t axis = extents.size(); axis-- > 0; rest /= extents[axis]) {
      place[axis] = 2 * (rest % extents[axis]) - (extents[axis] - 1);
    }
    return place;
  };
  experiment::PlacedWeights found;
  experiment::PlacedWeights expected;
  for (std::size_t k = 0; k < all.size(); ++k) {
    found[placeOf(all[k].index)] = static_cast<double>(all[taken[k]].index + 1);
    expected[placeOf(all[k].index)] = static_cast<double>(all[k].index + 1);
  }
  return experiment::rearrangement(found, expected, 0);
}

void makeCoefficientsDiffer(const SiblingRunner& runner, std::vector<std::uint64_t>& scalars) {
  const Program& program = runner.program();
  double factor = 1;
  double whole = 1;
  for (const std::size_t argument : analysis::coefficientArguments(program)) {
    const auto at = static_cast<std::size_t>(std::ranges::find(runner.scalars, argument) - runner.scalars.begin());
    ArrayData bits{.element = program.parameters[argument].type, .extents = {1}, .bytes = std::vector<std::byte>(8)};
    std::memcpy(bits.bytes.data(), &scalars[at], sizeof scalars[at]);
    factor *= 0.93;
    experiment::setValue(bits, 0, isFloating(bits.element) ? factor * experiment::valueAt(bits, 0) : ++whole);
    std::memcpy(&scalars[at], bits.bytes.data(), sizeof scalars[at]);
  }
}

}  // namespace haloscope::checking
