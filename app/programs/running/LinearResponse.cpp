#include "running/LinearResponse.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "experiment/InputData.h"

namespace haloscope::running {

namespace {

constexpr std::size_t kMostTaps = 100;
/// Of the range of an array's values.
constexpr double kTolerance = 1e-3;
/// The share of the points that decides: the rest are borders. Of a result, and of what is expected.
constexpr double kMost = 0.6, kMostExpected = 0.8;

using Values = std::vector<double>;

Values valuesOf(const ArrayData& array) {
  Values values(static_cast<std::size_t>(array.elementCount()));
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = experiment::valueAt(array, static_cast<std::int64_t>(i));
  }
  return values;
}

double toleranceOf(const Values& values) {
  const auto [least, most] = std::ranges::minmax(values);
  return kTolerance * (most - least);
}

/// Distances of which a sum may consist that is meant to be the same.
std::vector<std::int64_t> neighboursOf(const Response& response) {
  std::set<std::int64_t> near;
  for (const auto& [distance, weight] : response) { near.insert({distance, -distance}); }
  near.insert({0, 1, -1});
  // The next row is beyond those around 0, with its middle at the same place.
  std::int64_t end = 1;
  while (near.contains(end)) { ++end; }
  std::int64_t row = 0;
  if (const auto next = near.upper_bound(end); next != near.end()) {
    std::int64_t last = *next;
    while (near.contains(last + 1)) { ++last; }
    row = (*next + last) / 2;
  }
  std::set<std::int64_t> all;
  for (const std::int64_t one : near) { all.insert({one, one - 1, one + 1, one - row, one + row}); }
  return {all.begin(), all.end()};
}

/// The weights with which a sum comes closest to the targets; the last is that of 1. Rows of equal length.
Values fitted(const std::vector<Values>& rows, const Values& targets) {
  const std::size_t n = rows.front().size();
  std::vector<Values> matrix(n, Values(n + 1));
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) { matrix[i][j] += rows[r][i] * rows[r][j]; }
      matrix[i][n] += rows[r][i] * targets[r];
    }
  }
  double largest = 0;
  for (std::size_t i = 0; i < n; ++i) { largest = std::max(largest, matrix[i][i]); }
  // What depends on other terms gets no weight.
  for (std::size_t i = 0; i < n; ++i) { matrix[i][i] += 1e-12 * largest; }
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t pivot = i;
    for (std::size_t r = i + 1; r < n; ++r) {
      if (std::abs(matrix[r][i]) > std::abs(matrix[pivot][i])) { pivot = r; }
    }
    std::swap(matrix[i], matrix[pivot]);
    for (std::size_t r = 0; r < n; ++r) {
      const double factor = r == i || matrix[i][i] == 0 ? 0 : matrix[r][i] / matrix[i][i];
      for (std::size_t c = i; factor != 0 && c <= n; ++c) { matrix[r][c] -= factor * matrix[i][c]; }
    }
  }
  Values weights(n);
  for (std::size_t i = 0; i < n; ++i) { weights[i] = matrix[i][i] == 0 ? 0 : matrix[i][n] / matrix[i][i]; }
  return weights;
}

/// Whether most targets are such a sum. The others would bend the weights: those furthest off are left out, again and
/// again.
bool areSums(std::vector<Values> rows, Values targets, double tolerance) {
  const auto enough = static_cast<std::size_t>(kMostExpected * static_cast<double>(rows.size()));
  while (true) {
    const Values weights = fitted(rows, targets);
    std::vector<std::pair<double, std::size_t>> off;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      double sum = 0;
      for (std::size_t i = 0; i < weights.size(); ++i) { sum += weights[i] * rows[r][i]; }
      off.emplace_back(std::abs(sum - targets[r]), r);
    }
    std::ranges::sort(off);
    if (off[enough].first <= tolerance) { return true; }
    const std::size_t left = off.size() - std::max<std::size_t>(1, off.size() / 20);
    if (left <= enough) { return false; }
    std::vector<Values> fewer;
    Values theirs;
    for (const auto& [unused, r] : std::span(off).first(left)) {
      fewer.push_back(std::move(rows[r]));
      theirs.push_back(targets[r]);
    }
    rows = std::move(fewer);
    targets = std::move(theirs);
  }
}

}  // namespace

std::optional<Response> responseOf(const ArrayData& result, const ArrayData& changed, std::int64_t at, double by) {
  const Values before = valuesOf(result), after = valuesOf(changed);
  Response response;
  double largest = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const double weight = (after[i] - before[i]) / by;
    if (!std::isfinite(weight)) { return std::nullopt; }
    largest = std::max(largest, std::abs(weight));
    if (weight != 0) { response[static_cast<std::int64_t>(i) - at] = weight; }
  }
  // What is left of rounding is no weight.
  std::erase_if(response, [&](const auto& one) { return std::abs(one.second) < 1e-5 * largest; });
  return response.empty() || response.size() > kMostTaps ? std::nullopt : std::optional(response);
}

bool areAlike(const Response& one, const Response& other) {
  double largest = 0;
  for (const auto& [distance, weight] : one) { largest = std::max(largest, std::abs(weight)); }
  return std::ranges::equal(one, other, [&](const auto& a, const auto& b) {
    return a.first == b.first && std::abs(a.second - b.second) <= kTolerance * largest;
  });
}

Kinship kinshipOf(const ArrayData& input, const ArrayData& result, const ArrayData& expected,
                  const Response& response) {
  constexpr std::size_t kMostPoints = 2000;
  const Values in = valuesOf(input), out = valuesOf(result), other = valuesOf(expected);
  const std::vector<std::int64_t> neighbours = neighboursOf(response);
  const auto count = static_cast<std::int64_t>(in.size());
  const auto at = [&](std::int64_t i) { return in[static_cast<std::size_t>(i)]; };
  // What is left of a result without its sum: what it does not take from this input, if that is the same everywhere.
  std::vector<std::int64_t> points;
  Values rest;
  const std::int64_t step = std::max<std::int64_t>(1, count / static_cast<std::int64_t>(kMostPoints));
  for (std::int64_t i = 0; i < count; i += step) {
    if (i - neighbours.back() < 0 || i - neighbours.front() >= count) { continue; }
    double sum = 0;
    for (const auto& [distance, weight] : response) { sum += weight * at(i - distance); }
    points.push_back(i);
    rest.push_back(out[static_cast<std::size_t>(i)] - sum);
  }
  if (points.empty()) { return Kinship::Unknown; }
  Values sorted = rest;
  std::ranges::sort(sorted);
  const double constant = sorted[sorted.size() / 2];
  const double tolerance = toleranceOf(out), otherTolerance = toleranceOf(other);
  std::vector<Values> rows;
  Values targets;
  std::map<std::int64_t, std::size_t> moved;
  for (std::size_t n = 0; n < points.size(); ++n) {
    if (!(std::abs(rest[n] - constant) <= tolerance)) { continue; }
    const double expectedHere = other[static_cast<std::size_t>(points[n])];
    Values row;
    for (const std::int64_t distance : neighbours) {
      row.push_back(at(points[n] - distance));
      moved[distance] += row.back() == expectedHere ? 1 : 0;
    }
    row.push_back(1);
    rows.push_back(std::move(row));
    targets.push_back(expectedHere);
  }
  if (static_cast<double>(rows.size()) < kMost * static_cast<double>(points.size()) ||
      rows.size() < 2 * (neighbours.size() + 1)) {
    return Kinship::Unknown;
  }
  if (response.size() > 1 && std::ranges::any_of(moved, [&](const auto& one) {
        return static_cast<double>(one.second) >= 0.9 * static_cast<double>(rows.size());
      })) {
    return Kinship::Other;
  }
  return areSums(std::move(rows), std::move(targets), otherTolerance) ? Kinship::Same : Kinship::Other;
}

}  // namespace haloscope::running
