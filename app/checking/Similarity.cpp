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

constexpr std::array kRules{BorderRule::Zero, BorderRule::Clamped, BorderRule::Periodic, BorderRule::Kept,
                            BorderRule::Unwritten};

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
    for (std::int64_t element = 0; element < output_.elementCount(); ++element) {
      const Point point = pointOf(element);
      if (allInside(point)) {
        const bool unwritten = untouched(element);
        found.holes = found.holes || unwritten;
        interior += unwritten ? 0 : 1;
        agreeing += !unwritten && agrees(element, point, BorderRule::Zero, flipped) ? 1 : 0;
      } else {
        ++border;
        for (std::size_t rule = 0; rule < kRules.size(); ++rule) {
          following[rule] += agrees(element, point, kRules[rule], flipped) ? 1 : 0;
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
  /// The input under a tap by the rule; nothing where it counts as zero.
  [[nodiscard]] std::optional<double> under(const Point& point, const Offset& tap, BorderRule rule, int sign) const {
    std::int64_t element = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      std::int64_t at = point[axis] + sign * tap[axis];
      const std::int64_t extent = extents_[axis];
      if (at < 0 || at >= extent) {
        if (rule == BorderRule::Clamped) {
          at = std::clamp<std::int64_t>(at, 0, extent - 1);
        } else if (rule == BorderRule::Periodic) {
          at = (at % extent + extent) % extent;
        } else {
          return std::nullopt;
        }
      }
      element = element * extent + at;
    }
    return experiment::valueAt(input_, element);
  }
  [[nodiscard]] bool agrees(std::int64_t element, const Point& point, BorderRule rule, bool flipped) const {
    if (rule == BorderRule::Unwritten) { return untouched(element); }
    const double computed = experiment::valueAt(output_, element);
    if (rule == BorderRule::Kept) { return computed == experiment::valueAt(input_, element); }
    double sum = 0;
    double magnitude = 0;
    for (std::size_t t = 0; t < taps_.size(); ++t) {
      const double term = experiment::valueAt(weights_, static_cast<std::int64_t>(t)) *
                          under(point, taps_[t], rule, flipped ? -1 : 1).value_or(0);
      sum += term;
      magnitude += std::abs(term);
    }
    const double rounding = isFloating(output_.element) ? 0 : 1;
    return std::abs(computed - sum) <= experiment::kLooseTolerance * magnitude + rounding;
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
