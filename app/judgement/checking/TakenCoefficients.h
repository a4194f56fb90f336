#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "checking/SiblingRunner.h"
#include "experiment/TapDifference.h"

namespace haloscope::checking {

/// A number that all kernels of a family take: an element of a small array that they only read, or a floating-point
/// parameter.
struct TakenCoefficient {
  std::optional<std::size_t> array;  ///< position among the arrays; none: a scalar
  std::size_t index = 0;             ///< of the element, or among the scalars
};

/// An array with at most this many elements, and named or used like one, holds coefficients.
inline constexpr std::int64_t kMaxCoefficients = 64;

/// The coefficients that the kernels of a family take from the same data, and how one of them takes them otherwise.
/// Refers to the data, which must outlive it.
class TakenCoefficients {
 public:
  /// `data` and `scalars`: see executed().
  TakenCoefficients(const std::vector<ArrayData>& data, const std::vector<std::uint64_t>& scalars, std::stop_token stop)
      : data_(data), scalars_(scalars), stop_(std::move(stop)) {}

  /// Those of this kernel; empty if there are too many.
  [[nodiscard]] std::vector<TakenCoefficient> of(const SiblingRunner& runner) const;
  [[nodiscard]] std::string nameOf(const SiblingRunner& runner, const TakenCoefficient& coefficient) const;
  [[nodiscard]] double valueOf(const SiblingRunner& runner, const TakenCoefficient& coefficient) const;
  /// "it takes c4 where the others take c3, and c3 where they take c4"; empty if the difference is another one.
  [[nodiscard]] std::string exchanged(const SiblingRunner& right, const SiblingRunner& odd,
                                      const experiment::TapNames& names) const;

 private:
  [[nodiscard]] std::optional<std::vector<ArrayData>> alone(const SiblingRunner& runner,
                                                            const std::vector<TakenCoefficient>& all,
                                                            std::size_t one) const;
  [[nodiscard]] std::string rearranged(const std::vector<TakenCoefficient>& all,
                                       const std::vector<std::size_t>& taken) const;

  const std::vector<ArrayData>& data_;
  const std::vector<std::uint64_t>& scalars_;
  std::stop_token stop_;
};

/// Gives scalars that are coefficients values of which no two are equal: equal ones would hide that two were exchanged.
void makeCoefficientsDiffer(const SiblingRunner& runner, std::vector<std::uint64_t>& scalars);

}  // namespace haloscope::checking
