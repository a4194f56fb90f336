#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "actions/PlaygroundActions.h"
#include "commands/Command.h"
#include "commands/Screen.h"
#include "driver/Device.h"
#include "experiment/Experiment.h"
#include "language/Text.h"
#include "options/KernelArguments.h"
#include "program/SourceLocation.h"
#include "state/AppState.h"
#include "state/Playground.h"
#include "tables/BindingsJson.h"
#include "text/Print.h"

/// `haloscope play`: a problem of the playground, swept and timed, without a window.
namespace haloscope {
namespace {

using Json = nlohmann::ordered_json;

struct PlayOptions {
  std::string problem, engine, filter;
  KernelOptions kernel;
  std::int64_t sweeps = 100;
  bool emulator = false, json = false;
};

/// The problem, its engine and its numbers, as the playground chooses them. Throws InputError.
AppState chosenPlay(const Catalogue& catalogue, const PlayOptions& options) {
  const std::string id =
      options.problem.find('/') == std::string::npos ? "playground/" + options.problem : options.problem;
  const ChosenKernel chosen = chosenKernel(catalogue, id, options.kernel);
  if (!chosen.file.problem) { throw InputError(trf("{} states no problem for the playground", id)); }
  AppState state;
  state.catalogue = catalogue;
  startProblem(state, id);
  const experiment::Choice asked = chosen.choice();
  for (const auto& [name, value] : asked.bindings) { state.choice.bindings[name] = value; }
  for (const auto& [name, data] : asked.data) { state.choice.data[name] = data; }
  for (const Tunable* tunable : chosen.file.coefficientsOfProblem()) {
    const auto given = asked.bindings.find(tunable->name);
    if (given != asked.bindings.end()) { chooseCoefficient(state, tunable->name, given->second); }
  }
  if (!options.filter.empty()) {
    const auto& filters = chosen.file.problem->filters;
    const auto found = std::ranges::find(filters, options.filter, &SweptProblem::Filter::name);
    if (found == filters.end()) { throw InputError(trf("--filter {}: {} has no such filter", options.filter, id)); }
    chooseFilter(state, found->weights);
  }
  if (options.engine.empty()) { return state; }
  chooseEngine(state, options.engine);
  if (state.choice.kernel != options.engine) {
    throw InputError(trf("--engine {}: it does not compute {}", options.engine, id));
  }
  return state;
}

ExitCode play(const CommandContext& context, const PlayOptions& options) {
  if (options.sweeps < 0) { throw InputError(trf("--sweeps {}: a number from 0 on is needed", options.sweeps)); }
  FieldToPlay field;
  if (!options.emulator) { field.device = gpu::findDevice().device; }
  PlayOptions chosen = options;
  if (field.device) {  // the emulator executes the kernel beforehand, at the problem's own size
    field.size = options.kernel.knobs.size.value_or(0);
    chosen.kernel.knobs.size.reset();
  }
  const AppState state = chosenPlay(context.catalogue, chosen);
  const SweptProblem& problem = *state.catalogue.at(state.playground.problem).problem;
  experiment::RunOptions run;
  run.record = false;
  field.experiment = experiment::run(state.catalogue, state.choice, run);
  field.sameInput = problem.advance.empty() && problem.alternates.empty();
  field.sweeps = options.sweeps;
  const PlayedField played = context.screen.play(field);
  const KernelFile& engine = field.experiment->file;
  Bindings bindings = field.experiment->bindings;
  for (const SizeParameter& size : engine.sizes) {
    if (field.size > 0) { bindings[size.name] = std::clamp(field.size, size.minimum, size.maximum); }
  }
  const std::int64_t steps = engine.steps(bindings);
  const double by = 1.0 / static_cast<double>(steps);
  if (options.json) {
    Json json = {{"problem", state.playground.problem},
                 {"engine", engine.id},
                 {"gpu", played.gpu.empty() ? Json(nullptr) : Json(played.gpu)},
                 {"extents", played.extents},
                 {"bindings", bindingsToJson(engine, bindings)},
                 {"sweeps", options.sweeps},
                 {"steps_per_sweep", steps},
                 {"time_per_step", nullptr},
                 {"timed", played.timed},
                 {"residual", nullptr},
                 {"note", played.note}};
    if (played.samples > 0) {
      json["time_per_step"] = {{"median_ms", played.medianMs * by},
                               {"p10_ms", played.p10Ms * by},
                               {"p90_ms", played.p90Ms * by},
                               {"samples", played.samples}};
    }
    if (const auto& left = played.residual) {
      json["residual"] = {{"root_mean_square", left->value}, {"points", left->points}};
    }
    printJson(json);
    return ExitCode::Good;
  }
  printText("{}\n", trf("{} by {}, {} points, after {} sweeps", state.playground.problem, engine.id,
                        fmt::format("{}", fmt::join(played.extents, "×")), options.sweeps));
  if (played.samples > 0) {
    printText("{}\n", trf("{:.4g} ms a time step (p10 {:.4g}, p90 {:.4g}; {} samples): {}", played.medianMs * by,
                          played.p10Ms * by, played.p90Ms * by, played.samples, played.timed));
  }
  if (const auto& left = played.residual) {
    printText("{}\n", trf("residual {:.6g}, root mean square over {} points", left->value, left->points));
  }
  if (!played.note.empty()) { printText("{}\n", played.note); }
  return ExitCode::Good;
}

CommandRun addPlay(CLI::App& command) {
  const auto options = std::make_shared<PlayOptions>();
  command.add_option("PROBLEM", options->problem, tr("A problem of the playground, such as poisson_jacobi"))
      ->required();
  command.add_option("--sweeps", options->sweeps, tr("How many; each is timed"));
  command.add_option("--engine", options->engine,
                     tr("The variant that computes it; without it the problem's own kernel"));
  command.add_option("--filter", options->filter, tr("Of a picture: this filter, by its name"));
  addKnobs(command, options->kernel.knobs);
  addData(command, options->kernel.data);
  command.add_flag("--emulator", options->emulator, tr("Use no GPU"));
  addJson(command, options->json);
  return [options](const CommandContext& context) { return play(context, *options); };
}

}  // namespace

extern const Command playCommand{"play", trMark("Sweep a problem of the playground: time a step, residual"), addPlay};

}  // namespace haloscope
