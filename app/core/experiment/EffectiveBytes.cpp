#include "experiment/EffectiveBytes.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "experiment/InputData.h"

namespace haloscope::experiment {

namespace {

/// Of the grid; with `taps`, only those none of whose taps lies outside.
double pointsIn(const std::vector<std::int64_t>& grid, const std::vector<std::array<int, 3>>& taps) {
  double points = 1;
  for (std::size_t axis = 0; axis < grid.size(); ++axis) {
    int before = 0, after = 0;
    for (const std::array<int, 3>& tap : taps) {
      const int offset = tap.at(3 - grid.size() + axis);  // taps have three axes, the last ones are the grid's
      before = std::max(before, -offset);
      after = std::max(after, offset);
    }
    points *= static_cast<double>(std::max<std::int64_t>(grid[axis] - before - after, 0));
  }
  return points;
}

}  // namespace

double effectiveBytes(const KernelFile& file, const Bindings& bindings, const Program& program) {
  const ArrayDeclaration* input = file.computes ? file.findArray(file.computes->input) : nullptr;
  const ArrayDeclaration* output = file.computes ? file.findArray(file.computes->output) : nullptr;
  const ObjectId read = input == nullptr ? kNone : program.findObject(input->name);
  const ObjectId written = output == nullptr ? kNone : program.findObject(output->name);
  if (read == kNone || written == kNone) { return static_cast<double>(arrayBytes(file, bindings, program)); }
  const bool keeps = file.computes->border == Computes::Border::Keeps;
  const auto taps = keeps ? file.taps(bindings) : std::vector<std::array<int, 3>>{};
  const std::vector<std::int64_t> grid = file.points(bindings);
  const double once = pointsIn(grid, {}) * sizeInMemory(program.objects[read].element) +
                      pointsIn(grid, taps) * sizeInMemory(program.objects[written].element);
  return once * static_cast<double>(file.steps(bindings));
}

}  // namespace haloscope::experiment
