#include "experiment/EffectiveBytes.h"

#include <algorithm>
#include <cstddef>

#include "experiment/InputData.h"

namespace haloscope::experiment {

namespace {

/// Points of an array; with `taps`, only those none of whose taps lies outside.
double pointsOf(const ArrayDeclaration& array, const Bindings& bindings, const std::vector<std::array<int, 3>>& taps) {
  double points = 1;
  for (std::size_t axis = 0; axis < array.shape.size(); ++axis) {
    int before = 0, after = 0;
    for (const std::array<int, 3>& tap : taps) {
      const int offset = tap.at(3 - array.shape.size() + axis);  // taps have three axes, the last ones are the array's
      before = std::max(before, -offset);
      after = std::max(after, offset);
    }
    points *= std::max(array.shape[axis].evaluate(bindings) - before - after, 0.0);
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
  const double once = pointsOf(*input, bindings, {}) * sizeInMemory(program.objects[read].element) +
                      pointsOf(*output, bindings, taps) * sizeInMemory(program.objects[written].element);
  return once * static_cast<double>(file.steps(bindings));
}

}  // namespace haloscope::experiment
