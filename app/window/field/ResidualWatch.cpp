#include "field/ResidualWatch.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <vector>

#include "program/RealBits.h"

namespace haloscope::field {

FieldStatus::Residual residualOf(const PreparedField& field, std::uint64_t sweeps,
                                 const std::function<std::span<const std::byte>(std::size_t place)>& valuesOf) {
  constexpr std::int64_t kMostPoints = 16384;
  const KernelFile& file = field.experiment->file;
  const TapFormula& formula = *file.problem->residual;
  const render::FieldGrid& grid = field.grid;
  struct Input {
    std::span<const std::byte> values;
    std::array<std::int64_t, 3> offset;
  };
  std::vector<Input> inputs;
  std::array<std::int64_t, 3> reach{};
  for (const TapFormula::Tap& tap : formula.taps()) {
    const ObjectId object = field.experiment->program->findObject(tap.array);
    const auto place = std::ranges::find(field.arrays.objects, object);
    if (place == field.arrays.objects.end()) { return {}; }
    inputs.push_back({valuesOf(static_cast<std::size_t>(place - field.arrays.objects.begin())),
                      {tap.offset[0], tap.offset[1], tap.offset[2]}});
    for (std::size_t axis = 0; axis < 3; ++axis) {
      reach.at(axis) = std::max(reach.at(axis), std::abs(inputs.back().offset.at(axis)));
    }
  }
  std::vector<double> scalars;
  for (const std::string& name : formula.scalars()) {
    const auto argument = file.arguments.find(name);
    const Bindings& bindings = field.experiment->bindings;
    scalars.push_back(argument != file.arguments.end() ? argument->second.evaluate(bindings)
                                                       : static_cast<double>(bindings.at(name)));
  }
  std::array<std::int64_t, 3> inner{};
  for (std::size_t axis = 0; axis < 3; ++axis) { inner.at(axis) = grid.extents.at(axis) - 2 * reach.at(axis); }
  if (std::ranges::any_of(inner, [](std::int64_t extent) { return extent < 1; })) { return {}; }
  const std::int64_t all = inner[0] * inner[1] * inner[2];
  const std::int64_t count = std::min(all, kMostPoints);
  const auto size = static_cast<std::size_t>(sizeInMemory(grid.element));
  const auto valueAt = [&](const Input& input, std::int64_t z, std::int64_t y, std::int64_t x) {
    const std::int64_t element = grid.index({z + input.offset[0], y + input.offset[1], x + input.offset[2]});
    std::uint64_t bits = 0;
    std::memcpy(&bits, input.values.data() + static_cast<std::size_t>(element) * size, size);
    return numberOf(grid.element, bits);
  };
  std::vector<TapFormula::Value> taps(inputs.size());
  double squares = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t point = i * all / count;
    const std::int64_t x = point % inner[2] + reach[2];
    const std::int64_t y = point / inner[2] % inner[1] + reach[1];
    const std::int64_t z = point / inner[2] / inner[1] + reach[0];
    for (std::size_t t = 0; t < inputs.size(); ++t) {
      const double value = valueAt(inputs[t], z, y, x);
      taps[t] = {value, std::abs(value)};
    }
    const auto rest = static_cast<double>(formula.evaluate(taps, scalars).value);
    squares += rest * rest;
  }
  return {sweeps, std::sqrt(squares / static_cast<double>(count)), static_cast<std::uint64_t>(count)};
}

}  // namespace haloscope::field
