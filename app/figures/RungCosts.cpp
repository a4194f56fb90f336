#include "figures/RungCosts.h"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <utility>

namespace haloscope::figures {

RungCosts rungCosts(const experiment::Experiment& experiment) {
  RungCosts costs;
  costs.id = experiment.file.id;
  costs.text = experiment.file.text;
  costs.bindings = experiment.bindings;
  if (experiment.fault) {
    costs.problem = experiment.fault->message;
    return costs;
  }
  const Program& program = *experiment.program;
  std::uint64_t once = 0, outputs = 0;
  for (std::size_t object = 0; object < program.objects.size(); ++object) {
    if (program.objects[object].space != MemorySpace::Global) { continue; }
    outputs += experiment.grid.objects[object].stores;
    once += experiment.launch->arrays[object].bytes.size();
    costs.elementBytes[program.objects[object].name] = sizeInMemory(program.objects[object].element);
  }
  costs.outputs = static_cast<double>(outputs) * static_cast<double>(experiment.file.steps(experiment.bindings));
  if (outputs == 0) { return costs; }
  const auto each = [&](std::uint64_t number) { return static_cast<double>(number) / costs.outputs; };
  const analysis::Traffic& traffic = experiment.grid.traffic;
  costs.sectors = each(experiment.requests.all.sectors);
  costs.globalBytes = each(traffic.globalLoad + traffic.globalStore);
  costs.sharedBytes = each(traffic.sharedLoad + traffic.sharedStore);
  costs.storedBytes = each(traffic.globalStore);
  costs.onceBytes = each(once);
  costs.shape = accessShape(experiment);
  return costs;
}

RungCosts countRung(const KernelFile& file, const Bindings& bindings, const std::stop_token& stop) {
  RungCosts failed;
  failed.id = file.id;
  failed.text = file.text;
  failed.bindings = bindings;
  try {
    experiment::RunOptions options;
    options.record = false;
    options.stop = stop;
    RungCosts costs = rungCosts(*experiment::run(file, {.kernel = file.id, .bindings = bindings}, options));
    costs.bindings = bindings;
    return costs;
  } catch (const std::exception& problem) { failed.problem = problem.what(); }
  return failed;
}

double arrayBytes(const KernelFile& file, const RungCosts& costs, const Bindings& bindings) {
  double sum = 0;
  for (const ArrayDeclaration& array : file.arrays) {
    const auto bytes = costs.elementBytes.find(array.name);
    if (bytes == costs.elementBytes.end()) { continue; }
    double elements = 1;
    for (const Expression& extent : array.shape) { elements *= extent.evaluate(bindings); }
    sum += elements * bytes->second;
  }
  return sum;
}

Bindings rungBindings(const Climb& climb, const KernelFile& rung) {
  Bindings bindings = rung.defaults();
  for (const SizeParameter& size : rung.sizes) {
    std::int64_t value = size.defaultValue;
    for (const Climb::Rung& other : climb.rungs) {
      if (const SizeParameter* same = other.variant->findSize(size.name)) {
        value = std::max(value, same->defaultValue);
      }
    }
    const bool fits = std::ranges::all_of(climb.rungs, [&](const Climb::Rung& other) {
      return other.variant->findSize(size.name) == nullptr || other.variant->offers(size.name, value);
    });
    if (fits) { bindings[size.name] = value; }
  }
  return bindings;
}

}  // namespace haloscope::figures
