#include "checking/Similarity.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "experiment/InputData.h"
#include "experiment/Reference.h"
#include "language/Text.h"

namespace haloscope::checking {

namespace {

using Offset = std::array<int, 3>;  ///< slowest axis first
using Point = std::array<std::int64_t, 3>;

constexpr std::array kRules{BorderRule::Zero,         BorderRule::Clamped,  BorderRule::Periodic,
                            BorderRule::Mirrored,     BorderRule::Constant, BorderRule::MirroredBeyond,
                            BorderRule::Renormalised, BorderRule::Kept,     BorderRule::Unwritten};

/// Where a ghost cell takes its value from; outside the array where it has one of its own.
std::int64_t sourceOf(std::int64_t at, std::int64_t extent, BorderRule rule) {
  switch (rule) {
    case BorderRule::Clamped:
      return std::clamp<std::int64_t>(at, 0, extent - 1);
    case BorderRule::Periodic:
      return (at % extent + extent) % extent;
    case BorderRule::Mirrored:
      return at < 0 ? -at : at >= extent ? 2 * (extent - 1) - at : at;
    case BorderRule::MirroredBeyond:
      return at < 0 ? -at - 1 : at >= extent ? 2 * extent - 1 - at : at;
    default:
      return at;
  }
}

class Comparer {
 public:
  Comparer(const ArrayData& input, ArrayData weights, const ArrayData& initial, const ArrayData& output,
           std::vector<Offset> taps)
      : input_(input), weights_(std::move(weights)), initial_(initial), output_(output), taps_(std::move(taps)) {
    const std::size_t rank = std::min<std::size_t>(input.extents.size(), 3);
    for (std::size_t axis = 0; axis < rank; ++axis) { extents_[3 - rank + axis] = input.extents[axis]; }
  }

  [[nodiscard]] Similarity like(bool flipped) const {
    Similarity found;
    found.flipped = flipped;
    std::int64_t interior = 0;
    std::int64_t agreeing = 0;
    std::int64_t border = 0;
    std::array<std::int64_t, kRules.size()> following{};
    found.constant = constantOutside(flipped);
    for (std::int64_t element = 0; element < output_.elementCount(); ++element) {
      const Point point = pointOf(element);
      if (allInside(point)) {
        const bool unwritten = untouched(element);
        found.holes = found.holes || unwritten;
        interior += unwritten ? 0 : 1;
        agreeing += !unwritten && agrees(element, point, BorderRule::Zero, found) ? 1 : 0;
      } else {
        ++border;
        for (std::size_t rule = 0; rule < kRules.size(); ++rule) {
          following[rule] += agrees(element, point, kRules[rule], found) ? 1 : 0;
        }
      }
    }
    found.interior = interior > 0 && agreeing == interior;
    found.share = interior > 0 ? static_cast<double>(agreeing) / static_cast<double>(interior) : 0;
    found.zeroShare = border > 0 ? static_cast<double>(following[0]) / static_cast<double>(border) : 1;
    for (std::size_t rule = kRules.size(); rule-- > 0;) {
      if (following[rule] == border) { found.border = kRules[rule]; }
    }
    return found;
  }

 private:
  [[nodiscard]] Point pointOf(std::int64_t element) const {
    return {element / extents_[2] / extents_[1], element / extents_[2] % extents_[1], element % extents_[2]};
  }
  [[nodiscard]] bool allInside(const Point& point) const {
    return std::ranges::all_of(taps_, [&](const Offset& tap) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::int64_t at = point[axis] + tap[axis];
        if (at < 0 || at >= extents_[axis]) { return false; }
      }
      return true;
    });
  }
  [[nodiscard]] bool untouched(std::int64_t element) const {
    const auto size = static_cast<std::size_t>(sizeInMemory(output_.element));
    const std::size_t offset = static_cast<std::size_t>(element) * size;
    return std::memcmp(output_.bytes.data() + offset, initial_.bytes.data() + offset, size) == 0;
  }
  [[nodiscard]] double weight(std::size_t tap) const {
    return experiment::valueAt(weights_, static_cast<std::int64_t>(tap));
  }
  /// The input under a tap by the rule; nothing where none of its points is.
  [[nodiscard]] std::optional<double> under(const Point& point, const Offset& tap, BorderRule rule, int sign) const {
    std::int64_t element = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::int64_t at = sourceOf(point[axis] + sign * tap[axis], extents_[axis], rule);
      if (at < 0 || at >= extents_[axis]) { return std::nullopt; }
      element = element * extents_[axis] + at;
    }
    return experiment::valueAt(input_, element);
  }
  /// A point's sum over the neighbours inside, with the weights of those and of the others.
  struct Sum {
    double value = 0, magnitude = 0, inside = 0, outside = 0;
  };
  [[nodiscard]] Sum sumAt(const Point& point, BorderRule rule, bool flipped) const {
    Sum sum;
    for (std::size_t t = 0; t < taps_.size(); ++t) {
      const std::optional<double> value = under(point, taps_[t], rule, flipped ? -1 : 1);
      (value ? sum.inside : sum.outside) += weight(t);
      sum.value += weight(t) * value.value_or(0);
      sum.magnitude += std::abs(weight(t) * value.value_or(0));
    }
    return sum;
  }
  /// What all ghost cells hold if they hold the same: by the point with most of its weights outside.
  [[nodiscard]] double constantOutside(bool flipped) const {
    double constant = 0, most = 0;
    for (std::int64_t element = 0; element < output_.elementCount(); ++element) {
      const Point point = pointOf(element);
      if (allInside(point)) { continue; }
      const Sum sum = sumAt(point, BorderRule::Zero, flipped);
      if (std::abs(sum.outside) <= most) { continue; }
      most = std::abs(sum.outside);
      constant = (experiment::valueAt(output_, element) - sum.value) / sum.outside;
    }
    return constant;
  }
  [[nodiscard]] bool agrees(std::int64_t element, const Point& point, BorderRule rule, const Similarity& like) const {
    if (rule == BorderRule::Unwritten) { return untouched(element); }
    const double computed = experiment::valueAt(output_, element);
    if (rule == BorderRule::Kept) { return computed == experiment::valueAt(input_, element); }
    Sum sum = sumAt(point, rule, like.flipped);
    if (rule == BorderRule::Constant) {
      sum.value += like.constant * sum.outside;
      sum.magnitude += std::abs(like.constant * sum.outside);
    }
    if (rule == BorderRule::Renormalised) {
      if (sum.inside == 0) { return false; }
      const double all = (sum.inside + sum.outside) / sum.inside;
      sum.value *= all;
      sum.magnitude *= std::abs(all);
    }
    const double rounding = isFloating(output_.element) ? 0 : 1;
    return std::abs(computed - sum.value) <= experiment::kLooseTolerance * sum.magnitude + rounding;
  }

  const ArrayData& input_;
  ArrayData weights_;
  const ArrayData& initial_;
  const ArrayData& output_;
  std::vector<Offset> taps_;
  Point extents_{1, 1, 1};
};

}  // namespace

std::string Similarity::sentence(const Computes& computes) const {
  std::string text = trf("The result agrees with a convolution of {} with {}", computes.input, computes.filterName());
  if (flipped) { text += tr(" flipped along all axes"); }
  switch (border.value_or(BorderRule::Zero)) {
    case BorderRule::Zero:
      return trf("{}, ghost cells zero.", text);
    case BorderRule::Clamped:
      return trf("{}; ghost cells repeat the nearest point of the edge.", text);
    case BorderRule::Periodic:
      return trf("{}; ghost cells continue at the opposite edge.", text);
    case BorderRule::Mirrored:
      return trf("{}; ghost cells mirror the points beyond the edge's.", text);
    case BorderRule::MirroredBeyond:
      return trf("{}; ghost cells mirror the points from the edge on.", text);
    case BorderRule::Constant:
      return trf("{}; ghost cells are {:.4g}.", text, constant);
    case BorderRule::Renormalised:
      return trf("{}; ghost cells are left out, and the sum is divided by the weights inside.", text);
    case BorderRule::Kept:
      return trf("{}; border points keep the input's value.", text);
    case BorderRule::Unwritten:
      return text + trf("; border points of {} are not written.", computes.output);
  }
  return text;
}

Similarity similarityOf(const KernelFile& file, const Bindings& bindings, const Program& program,
                        const std::vector<ArrayData>& before, const std::vector<ArrayData>& after) {
  const Computes& computes = *file.computes;
  const ObjectId output = program.findObject(computes.output);
  const Comparer comparer(before[program.findObject(computes.input)],
                          experiment::weightsOf(file, bindings, program, before), before[output], after[output],
                          file.taps(bindings));
  const Similarity plain = comparer.like(false);
  if (plain.interior) { return plain; }
  const Similarity flipped = comparer.like(true);
  return flipped.interior ? flipped : plain;
}

}  // namespace haloscope::checking
