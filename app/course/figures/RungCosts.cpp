#include "figures/RungCosts.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <exception>
#include <map>
#include <utility>

#include "analysis/Counts.h"
#include "analysis/MemoryRequests.h"
#include "experiment/EffectiveBytes.h"
#include "figures/StencilShape.h"
#include "program/SourceLocation.h"
#include "simt/Executor.h"

namespace haloscope::figures {

RungCosts rungCosts(const experiment::Experiment& experiment, std::optional<double> written) {
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
  }
  costs.steps = experiment.file.steps(experiment.bindings);
  costs.outputs = written.value_or(static_cast<double>(outputs)) * static_cast<double>(costs.steps);
  if (costs.outputs <= 0) { return costs; }
  const auto each = [&](std::uint64_t number) { return static_cast<double>(number) / costs.outputs; };
  const analysis::Traffic& traffic = experiment.grid.traffic;
  costs.sectors = each(experiment.requests.all.sectors);
  costs.globalBytes = each(traffic.globalLoad + traffic.globalStore);
  costs.sharedBytes = each(traffic.sharedLoad + traffic.sharedStore);
  costs.storedBytes = each(traffic.globalStore);
  costs.onceBytes = each(once);
  costs.effectiveBytes = experiment::effectiveBytes(experiment.file, experiment.bindings, program);
  costs.shape = accessShape(experiment);
  return costs;
}

namespace {

/// Only what the costs need: an experiment also counts an interior block, at large tiles of a very large grid.
experiment::Experiment countedGrid(const KernelFile& file, const Bindings& bindings, const std::stop_token& stop) {
  experiment::RunOptions options;
  options.record = false;
  options.countGrid = false;
  options.stop = stop;
  experiment::Experiment counted = *experiment::run(file, {.kernel = file.id, .bindings = bindings}, options);
  const Program& program = *counted.program;
  Launch launch = *counted.launch;
  simt::ExecuteOptions how;
  how.stop = stop;
  simt::ExecuteResult result;
  analysis::RequestCounter requests(program);
  const std::vector<simt::Observer*> observers{&requests};
  counted.grid = analysis::count(program, launch, how, &result, observers);
  counted.requests = requests.totals();
  counted.outcome = result.outcome;
  counted.fault = experiment::faultOf(result);
  return counted;
}

}  // namespace

RungCosts countRung(const KernelFile& file, const Bindings& bindings, const std::stop_token& stop) {
  RungCosts failed;
  failed.id = file.id;
  failed.text = file.text;
  failed.bindings = bindings;
  try {
    RungCosts costs = rungCosts(countedGrid(file, bindings, stop));
    costs.bindings = bindings;
    return costs;
  } catch (const std::exception& problem) { failed.problem = problem.what(); }
  return failed;
}

namespace {

using Weights = std::map<std::array<int, 3>, double>;

/// With the largest weight p: w(z,y,x) · p² = w(z,·,·) · w(·,y,·) · w(·,·,x), the others through p's place. One axis
/// alone is no product.
bool isProduct(const Weights& weights, std::size_t axes) {
  constexpr double kRounding = 1e-4;  // of float weights, and of the trace that found them
  if (axes < 2 || weights.size() < 2) { return false; }
  const auto& [place, largest] =
      *std::ranges::max_element(weights, {}, [](const auto& weight) { return std::abs(weight.second); });
  const auto at = [&weights](const std::array<int, 3>& point) {
    const auto found = weights.find(point);
    return found == weights.end() ? 0.0 : found->second;
  };
  std::array<std::set<int>, 3> offsets;
  for (const auto& [point, weight] : weights) {
    for (std::size_t axis = 0; axis < point.size(); ++axis) { offsets[axis].insert(point[axis]); }
  }
  if (std::ranges::count_if(offsets, [](const std::set<int>& axis) { return axis.size() > 1; }) < 2) { return false; }
  for (const int z : offsets[0]) {
    for (const int y : offsets[1]) {
      for (const int x : offsets[2]) {
        const double product = at({z, place[1], place[2]}) * at({place[0], y, place[2]}) * at({place[0], place[1], x});
        if (std::abs(at({z, y, x}) * largest * largest - product) > kRounding * std::abs(largest * largest * largest)) {
          return false;
        }
      }
    }
  }
  return true;
}

}  // namespace

RungCosts ownCosts(const experiment::Experiment& experiment, const std::stop_token& stop) {
  RungCosts costs = rungCosts(experiment);
  if (costs.outputs <= 0) { return costs; }
  try {
    const StencilShape shape = stencilShape(experiment, stop);
    if (!shape.reason.empty()) { return costs; }
    costs.axes = shape.rank();
    Weights weights;
    for (const ShapePoint& point : shape.points) {
      if (shape.isZero(point)) { continue; }
      const std::array<int, 3> offset{static_cast<int>(point.offset.z), static_cast<int>(point.offset.y),
                                      static_cast<int>(point.offset.x)};
      costs.points.insert(offset);
      weights[offset] += point.weight;
    }
    costs.separable = shape.linear && isProduct(weights, costs.axes);
  } catch (const UserError&) { return costs; }  // its place is found by its accesses alone
  return costs;
}

RungCosts withSteps(RungCosts costs, std::int64_t steps) {
  const double share = static_cast<double>(costs.steps) / static_cast<double>(steps);
  for (double* const number :
       {&costs.sectors, &costs.globalBytes, &costs.sharedBytes, &costs.storedBytes, &costs.onceBytes}) {
    *number *= share;
  }
  costs.outputs /= share;
  costs.steps = steps;
  return costs;
}

Bindings rungBindings(const Climb& climb, const KernelFile& rung, const Bindings& tunables) {
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
  Bindings chosen = bindings;
  for (const auto& [name, value] : tunables) {
    if (rung.findTunable(name) != nullptr) { chosen[name] = value; }
  }
  try {
    static_cast<void>(rung.configuration(rung.bind(chosen)));
    return chosen;
  } catch (const InputError&) { return bindings; }  // a tile of another text
}

}  // namespace haloscope::figures
