#include "figures/DerivativeKernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "experiment/Experiment.h"
#include "experiment/InputData.h"
#include "experiment/Reference.h"
#include "language/Text.h"
#include "machine/Execution.h"
#include "simt/Executor.h"

namespace haloscope::figures {

namespace {

bool isLine(const KernelFile& file) {
  return file.firstDerivative && file.precision && file.sizes.size() == 1 &&
         std::ranges::all_of(file.arrays, [](const ArrayDeclaration& array) { return array.shape.size() == 1; });
}

}  // namespace

DerivativeKernel::DerivativeKernel(KernelFile file, ValueType type) : file_(std::move(file)), type_(type) {
  if (!isLine(file_)) {
    throw InputError(trf("{}: its header does not declare a first derivative in one dimension", file_.id));
  }
  bindings_ = file_.bind({{file_.precision->macro, Precision::valueOf(type)}});
  size_ = file_.sizes.front().name;
  program_ = std::make_shared<const Program>(experiment::compile(file_, bindings_));
}

std::int64_t DerivativeKernel::largestGrid() const { return file_.sizes.front().maximum; }

double DerivativeKernel::roundingBound(double spacing) const {
  double sum = 0;
  for (const double coefficient : file_.firstDerivative->coefficients) { sum += std::abs(coefficient); }
  return experiment::toleranceOf(file_.firstDerivative->coefficients.size(), type_) * sum / spacing;
}

Slopes DerivativeKernel::slopes(const std::vector<double>& samples, double spacing, const std::stop_token& stop) const {
  Bindings bindings = bindings_;
  bindings[size_] = static_cast<std::int64_t>(samples.size());
  bindings = file_.bind(bindings);
  Launch launch = experiment::makeLaunch(file_, bindings, *program_, experiment::InputKind::Zero);
  const Computes& computes = *file_.computes;
  ArrayData& input = launch.arrays[program_->findObject(computes.input)];
  for (std::size_t i = 0; i < samples.size(); ++i) {
    experiment::setValue(input, static_cast<std::int64_t>(i), samples[i]);
  }
  const std::vector<double>& coefficients = file_.firstDerivative->coefficients;
  ArrayData& weights = launch.arrays[program_->findObject(computes.weights)];
  for (std::size_t t = 0; t < coefficients.size(); ++t) {
    experiment::setValue(weights, static_cast<std::int64_t>(t), coefficients[t] / spacing);
  }
  simt::ExecuteOptions options;
  options.stop = stop;
  const simt::ExecuteResult result = machine::execute(*program_, launch, options);
  if (result.outcome == simt::Outcome::Stopped) { throw experiment::Cancelled{}; }
  if (result.outcome != simt::Outcome::Finished) {
    throw experiment::FaultError(file_.path.string(), result.where, result.message);
  }
  if (result.outOfBounds > 0) {
    throw experiment::FaultError(file_.path.string(), result.firstOutOfBounds, result.firstOutOfBoundsMessage);
  }
  std::int64_t before = 0;
  std::int64_t after = 0;
  for (const auto& tap : file_.taps(bindings)) {
    before = std::max<std::int64_t>(before, -tap[2]);
    after = std::max<std::int64_t>(after, tap[2]);
  }
  const ArrayData& output = launch.arrays[program_->findObject(computes.output)];
  Slopes slopes{before, {}};
  for (std::int64_t i = before; i < static_cast<std::int64_t>(samples.size()) - after; ++i) {
    slopes.values.push_back(experiment::valueAt(output, i));
  }
  return slopes;
}

std::vector<const KernelFile*> derivativeFiles(const Catalogue& catalogue) {
  std::vector<const KernelFile*> files;
  for (const KernelFile& file : catalogue.kernels()) {
    if (isLine(file)) { files.push_back(&file); }
  }
  std::ranges::stable_sort(files, {},
                           [](const KernelFile* file) { return file->firstDerivative->coefficients.size(); });
  return files;
}

}  // namespace haloscope::figures
