#include "measuring/SuitePlan.h"

#include <fmt/format.h>

#include <algorithm>

#include "catalogue/Climb.h"
#include "catalogue/Precision.h"
#include "experiment/Experiment.h"
#include "language/Text.h"
#include "measuring/TuningMap.h"
#include "program/SourceLocation.h"

namespace haloscope::measuring {

namespace {

/// Complete bindings with which a launch computes so many steps, if need be by one of the tunables. Throws InputError.
Bindings boundTo(const KernelFile& file, const Bindings& chosen, std::int64_t steps) {
  Bindings bindings = file.bind(chosen);
  if (file.steps(bindings) == steps) { return bindings; }
  for (const Tunable& tunable : file.tunables) {
    for (std::int64_t value = tunable.minimum; value <= tunable.maximum; ++value) {
      Bindings other = bindings;
      other[tunable.name] = value;
      try {
        if (file.steps(other) == steps) { return file.bind(other); }
      } catch (const InputError&) { continue; }  // this value is none
    }
  }
  throw InputError(trn("{} computes {} time step per launch", "{} computes {} time steps per launch",
                       static_cast<std::uint64_t>(file.steps(bindings)), file.id, file.steps(bindings)));
}

/// Throws InputError with the reason why this variant does not solve the problem.
Bindings solving(const KernelFile& file, const LimitClass& limit, std::int64_t steps) {
  Bindings chosen = limit.problem;
  const std::string type = realTypeName(limit.precision);
  if (file.precision) {
    const std::int64_t value = Precision::valueOf(limit.precision);
    if (!file.precision->offers(value)) { throw InputError(trf("{} does not compute in {}", file.id, type)); }
    chosen[file.precision->macro] = value;
  }
  Bindings bindings = boundTo(file, chosen, steps);
  static_cast<void>(file.configuration(bindings));
  const Program program = experiment::compile(file, bindings);
  const ObjectId output = file.computes ? program.findObject(file.computes->output) : kNone;
  if (output == kNone) { throw InputError(trf("{} does not say what it computes", file.id)); }
  if (program.objects[output].element != limit.precision) {
    throw InputError(trf("{} does not compute in {}", file.id, type));
  }
  // Each result is compared with the root's element by element.
  const ArrayDeclaration* const input = file.findArray(file.computes->input);
  if (input != nullptr && file.points(bindings) != input->extents(bindings)) {
    throw InputError(trf("{} has padded rows at this size", file.id));
  }
  return bindings;
}

}  // namespace

PlannedClass planClass(const Catalogue& catalogue, const LimitClass& limit) {
  PlannedClass plan{.limit = limit, .variants = {}, .leftOut = {}, .problem = {}};
  const std::vector<Climb> all = climbs(catalogue);
  const auto climb = std::ranges::find(all, limit.climb, &Climb::name);
  if (climb == all.end()) {
    plan.problem = trf("no variant names the climb \"{}\"", limit.climb);
    return plan;
  }
  for (const auto& [variant, height] : climb->rungs) {
    try {
      const std::int64_t steps = height == 0 ? 1 : limit.steps;
      plan.variants.push_back({variant, height, solving(*variant, limit, steps)});
    } catch (const UserError& error) {
      plan.leftOut.push_back({variant->id, error.what()});
      if (height > 0) { continue; }
      plan.problem = error.what();  // without the root nothing can be verified
      return plan;
    }
  }
  return plan;
}

std::string tileText(const KernelFile& file, const Bindings& bindings) {
  std::string text;
  for (const std::string& name : tuningAxes(file)) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, bindings.at(name));
  }
  return text;
}

}  // namespace haloscope::measuring
