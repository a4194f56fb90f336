#include "checking/SizeComparison.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "analysis/ElementName.h"
#include "checking/TakenCoefficients.h"
#include "experiment/InputData.h"
#include "language/Text.h"

namespace haloscope::checking {

namespace {

using Arrays = std::vector<ArrayData>;

Arrays dataOf(const SiblingRunner& runner) {
  Arrays data;
  for (const ObjectId object : runner.arrays) { data.push_back(runner.launch.arrays[object]); }
  return data;
}

/// The first elements become those of another array.
void copyValues(const ArrayData& from, ArrayData& to) {
  if (from.element == to.element) {
    std::memcpy(to.bytes.data(), from.bytes.data(), std::min(from.bytes.size(), to.bytes.size()));
    return;
  }
  const std::int64_t count = std::min(from.elementCount(), to.elementCount());
  for (std::int64_t i = 0; i < count; ++i) { experiment::setValue(to, i, experiment::valueAt(from, i)); }
}

class Comparing {
 public:
  Comparing(const SiblingRunner& own, const SiblingRunner& reference, const Pairing& pairing, bool bothWrite,
            const std::stop_token& stop)
      : own_(own), reference_(reference), pairing_(pairing), bothWrite_(bothWrite), stop_(stop) {}

  SizeComparison compare() {
    for (std::size_t i = 0; i < reference_.arrays.size(); ++i) {
      const ArrayData& theirs = reference_.launch.arrays[reference_.arrays[i]];
      if (theirs.bytes.empty()) { return {}; }
      // An array may be longer than what the kernel uses of it.
      if (pairing_.arrays[i] &&
          own_.launch.arrays[own_.arrays[*pairing_.arrays[i]]].elementCount() < theirs.elementCount()) {
        return {};
      }
    }
    result_.end = SizeComparison::End::Compared;
    on(random(), true);
    if (reference_.sibling == nullptr && isCompared()) { on(dataOf(reference_), false); }
    if (own_.sibling == nullptr && isCompared()) { on(ownData(), false); }
    return std::move(result_);
  }

 private:
  [[nodiscard]] bool isCompared() const {
    return result_.end == SizeComparison::End::Compared && result_.differing == 0;
  }

  /// Real numbers become random ones, and what may be a filter numbers that all differ; of others the launch has some
  /// that the kernels can use.
  [[nodiscard]] Arrays random() const {
    constexpr std::uint64_t kSeed = 31;
    Arrays data = dataOf(reference_);
    if (reference_.sibling != nullptr) { takeOwnIntegers(*reference_.sibling, data); }
    for (std::size_t i = 0; i < data.size(); ++i) {
      if (!isFloating(data[i].element) || !pairing_.arrays[i]) { continue; }
      if (!reference_.written[i] && data[i].elementCount() <= kMaxCoefficients) {
        experiment::fillWeights(data[i]);
      } else {
        experiment::fillRandom(data[i], kSeed + i);
      }
    }
    return data;
  }

  [[nodiscard]] Arrays ownData() const {
    Arrays data = dataOf(reference_);
    for (std::size_t i = 0; i < data.size(); ++i) {
      if (pairing_.arrays[i]) { copyValues(own_.launch.arrays[own_.arrays[*pairing_.arrays[i]]], data[i]); }
    }
    return data;
  }

  /// The arguments of the kernel, and those of the reference that they stand for.
  struct Scalars {
    std::vector<std::uint64_t> own, theirs;
  };
  [[nodiscard]] Scalars scalars(bool differ) const {
    Scalars all;
    for (const std::size_t argument : own_.scalars) { all.own.push_back(own_.launch.arguments[argument]); }
    bool whole = true;
    for (std::size_t i = 0; i < reference_.scalars.size(); ++i) {
      const std::size_t argument = reference_.scalars[i];
      const std::optional<std::size_t>& from = pairing_.scalars[i];
      whole = whole && from;
      all.theirs.push_back(from ? converted(all.own[*from], typeOf(own_, *from), typeOf(reference_, i))
                                : reference_.launch.arguments[argument]);
    }
    // A number that the kernel has in its text cannot become another.
    if (!differ || !whole || own_.scalars.size() != reference_.scalars.size()) { return all; }
    makeCoefficientsDiffer(reference_, all.theirs);
    for (std::size_t i = 0; i < reference_.scalars.size(); ++i) {
      const std::size_t to = *pairing_.scalars[i];
      all.own[to] = converted(all.theirs[i], typeOf(reference_, i), typeOf(own_, to));
    }
    return all;
  }

  static ValueType typeOf(const SiblingRunner& runner, std::size_t scalar) {
    return runner.program().parameters[runner.scalars[scalar]].type;
  }
  static std::uint64_t converted(std::uint64_t bits, ValueType from, ValueType to) {
    ArrayData one{.element = from, .extents = {1}, .bytes = std::vector<std::byte>(8)};
    ArrayData other{.element = to, .extents = {1}, .bytes = std::vector<std::byte>(8)};
    std::memcpy(one.bytes.data(), &bits, sizeof bits);
    if (from == to) { return bits; }
    experiment::setValue(other, 0, experiment::valueAt(one, 0));
    std::memcpy(&bits, other.bytes.data(), sizeof bits);
    return bits;
  }

  void on(const Arrays& given, bool counts) {
    const Scalars arguments = scalars(counts);
    const std::optional<Arrays> expected = executed(reference_, given, arguments.theirs, stop_);
    if (!expected) {
      // On data that the reference is not made for nothing is known.
      if (counts) { result_.end = SizeComparison::End::ReferenceFailed; }
      return;
    }
    Arrays data = dataOf(own_);
    for (std::size_t i = 0; i < given.size(); ++i) {
      if (pairing_.arrays[i]) { copyValues(given[i], data[*pairing_.arrays[i]]); }
    }
    const std::optional<Arrays> found = executed(own_, data, arguments.own, stop_);
    if (!found) {
      result_.end = SizeComparison::End::Failed;
      return;
    }
    if (counts) { result_.points = changedPoints(reference_, given, *expected); }
    for (std::size_t i = 0; i < given.size(); ++i) {
      if (!reference_.written[i] || !pairing_.arrays[i]) { continue; }
      const std::size_t at = *pairing_.arrays[i];
      add((*expected)[i], data[at], (*found)[at], own_.arrays[at]);
    }
  }

  void add(const ArrayData& expected, const ArrayData& before, const ArrayData& found, ObjectId object) {
    double largest = 0;
    for (std::int64_t i = 0; i < expected.elementCount(); ++i) {
      const double value = std::abs(experiment::valueAt(expected, i));
      if (std::isfinite(value)) { largest = std::max(largest, value); }
    }
    const double tolerance = std::max(toleranceOf(expected.element), toleranceOf(found.element)) * largest;
    const bool whole = !isFloating(found.element) || !isFloating(expected.element);
    for (std::int64_t i = 0; i < expected.elementCount(); ++i) {
      const double a = experiment::valueAt(expected, i);
      const double b = experiment::valueAt(found, i);
      if (std::abs(a - b) <= (whole ? 0 : tolerance) || a == b || (std::isnan(a) && std::isnan(b))) { continue; }
      const double was = experiment::valueAt(before, i);
      const auto isKept = [was](double one) { return one == was || (std::isnan(one) && std::isnan(was)); };
      if (bothWrite_ && (isKept(a) || isKept(b))) { continue; }
      if (result_.differing++ == 0) {
        result_.first = trf("{} is {:.6g}, where the reference computes {:.6g}",
                            analysis::elementName(own_.program(), object, i), b, a);
      }
      result_.unwritten += was == b ? 1 : 0;
    }
  }

  const SiblingRunner& own_;
  const SiblingRunner& reference_;
  const Pairing& pairing_;
  bool bothWrite_;
  const std::stop_token& stop_;
  SizeComparison result_;
};

}  // namespace

SizeComparison compareAtSizes(const SiblingRunner& own, const SiblingRunner& reference, const Pairing& pairing,
                              bool bothWrite, const std::stop_token& stop) {
  return Comparing(own, reference, pairing, bothWrite, stop).compare();
}

}  // namespace haloscope::checking
