#include "experiment/Experiment.h"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "analysis/Counts.h"
#include "analysis/Recorder.h"
#include "experiment/InputData.h"
#include "experiment/InteriorBlock.h"
#include "frontend/Frontend.h"
#include "program/BarrierRemoval.h"
#include "simt/Executor.h"

namespace haloscope::experiment {

namespace {

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count(); }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

void throwIfStopped(const std::stop_token& stop) {
  if (stop.stop_requested()) { throw Cancelled{}; }
}

/// Of the header; of a kernel without, the arrays that the recorded block reads and writes most, if they have one
/// shape.
std::optional<HaloArrays> haloArrays(const Experiment& experiment) {
  if (experiment.file.computes) {
    return HaloArrays{experiment.file.computes->input, experiment.file.computes->output};
  }
  const recording::Footprint& footprint = experiment.footprint;
  const bool known = footprint.input != kNone && footprint.output != kNone && footprint.input != footprint.output &&
                     footprint.inputExtents == footprint.outputExtents;
  if (!known) { return std::nullopt; }
  const auto& objects = experiment.program->objects;
  return HaloArrays{objects[footprint.input].name, objects[footprint.output].name};
}

std::optional<double> formula(const KernelFile& file, const Bindings& bindings) {
  return file.opPerByte ? std::optional(file.opPerByte->evaluate(bindings)) : std::nullopt;
}

/// The block in the middle of the grid: an interior one if there is any.
Dim3 middleBlock(const Dim3& grid) { return {grid.x / 2, grid.y / 2, grid.z / 2}; }

}  // namespace

std::optional<Fault> faultOf(const simt::ExecuteResult& result) {
  if (result.outcome == simt::Outcome::Stopped) { throw Cancelled{}; }
  if (result.outcome != simt::Outcome::Finished) { return Fault{result.where, result.message}; }
  if (result.outOfBounds > 0) { return Fault{result.firstOutOfBounds, result.firstOutOfBoundsMessage}; }
  return std::nullopt;
}

void throwIfFaulty(const KernelFile& file, const std::optional<Fault>& fault) {
  if (fault) { throw FaultError(file.path.string(), fault->where, fault->message); }
}

Program compile(const KernelFile& file, const Bindings& bindings, std::vector<std::string>* warnings) {
  frontend::CompileOptions options;
  options.defines = file.defines(bindings);
  options.kernel = file.kernel;
  options.prologue = file.prologue;
  options.headers = file.headers;
  options.instances = file.instances;
  frontend::CompileResult result = frontend::compile(file.path.string(), file.text, options);
  if (warnings != nullptr) {
    for (const frontend::Diagnostic& warning : result.warnings) {
      warnings->push_back(SourceError(file.path.string(), warning.where, warning.message).what());
    }
  }
  return std::move(result.program);
}

std::shared_ptr<const Experiment> run(const Catalogue& catalogue, const Choice& choice, const RunOptions& options) {
  return run(catalogue.at(choice.kernel), choice, options);
}

std::shared_ptr<const Experiment> run(const KernelFile& file, const Choice& choice, const RunOptions& options) {
  auto experiment = std::make_shared<Experiment>();
  experiment->choice = choice;
  experiment->input = options.input;
  experiment->file = file;
  experiment->bindings = file.bind(choice.bindings);
  experiment->configuration = file.configuration(experiment->bindings);

  const Stopwatch compileTime;
  const Program written = compile(file, experiment->bindings, &experiment->warnings);
  experiment->barriers = barrierLines(written);
  std::set<int>& leftOut = experiment->choice.withoutBarriers;
  std::erase_if(leftOut, [&](int line) { return !experiment->barriers.contains(line); });
  experiment->program = std::make_shared<const Program>(withoutBarriers(written, leftOut));
  experiment->compileSeconds = compileTime.seconds();
  const Program& program = *experiment->program;
  experiment->counts.sharedBytesPerBlock = program.sharedBytes() + experiment->configuration.dynamicSharedBytes;
  if (experiment->counts.sharedBytesPerBlock > kMaxSharedBytesPerBlock) {
    throw InputError(file.id + ": a block needs " + std::to_string(experiment->counts.sharedBytesPerBlock) +
                     " bytes of shared memory; a block can have at most " + std::to_string(kMaxSharedBytesPerBlock));
  }

  const Dim3 grid = experiment->configuration.grid;
  experiment->block = choice.block.value_or(middleBlock(grid));
  // A block chosen on a larger grid stays as near as the new grid allows.
  experiment->block = {std::min(experiment->block.x, grid.x - 1), std::min(experiment->block.y, grid.y - 1),
                       std::min(experiment->block.z, grid.z - 1)};

  throwIfStopped(options.stop);
  Launch launch = makeLaunch(file, experiment->bindings, program, options.input);
  if (options.record) {
    const Stopwatch recordTime;
    analysis::RecordOptions recordOptions;
    recordOptions.stop = options.stop;
    recordOptions.order = choice.order;
    recordOptions.orderSeed = choice.orderSeed;
    experiment->recording = analysis::record(experiment->program, launch, experiment->block, recordOptions);
    experiment->recordSeconds = recordTime.seconds();
    experiment->footprint = recording::findFootprint(*experiment->recording);
    experiment->carriers = recording::findCarriers(*experiment->recording);
    experiment->writes = recording::OutputWrites(*experiment->recording, experiment->footprint.output);
    if (!leftOut.empty() && experiment->footprint.output != kNone) {
      const BarrierTrial trial{written, program, launch, experiment->block, experiment->footprint.output};
      experiment->barrierEffect = barrierEffect(trial, choice.order, choice.orderSeed, options.stop);
    }
    throwIfStopped(options.stop);
  }

  experiment->opPerByte.formula = formula(file, experiment->bindings);
  if (options.countGrid) {
    const Stopwatch executeTime;
    simt::ExecuteOptions executeOptions;
    executeOptions.workers = options.workers;
    executeOptions.stop = options.stop;
    executeOptions.order = choice.order;
    executeOptions.orderSeed = choice.orderSeed;
    simt::ExecuteResult result;
    analysis::RequestCounter requests(program);
    std::vector<simt::Observer*> beside(options.beside.begin(), options.beside.end());
    beside.push_back(&requests);
    experiment->grid = analysis::count(program, launch, executeOptions, &result, beside);
    experiment->fault = faultOf(result);
    experiment->requests = requests.totals();
    experiment->executeSeconds = executeTime.seconds();
    const analysis::Counts& counts = experiment->grid;
    experiment->counts.flops = counts.flops;
    experiment->counts.globalLoadBytes = counts.traffic.globalLoad;
    experiment->counts.globalStoreBytes = counts.traffic.globalStore;
    experiment->counts.constantLoadBytes = counts.traffic.constantLoad;
    experiment->counts.sharedLoadBytes = counts.traffic.sharedLoad;
    experiment->counts.sharedStoreBytes = counts.traffic.sharedStore;
    experiment->opPerByte.executed = counts.opPerLoadByte();
    experiment->opPerByte.withStores = counts.opPerByte();
    // A launch that did not end is counted as far as it came: an interior block tells no more. One that left its arrays
    // may have done so at the border alone.
    const auto interior =
        result.outcome == simt::Outcome::Finished
            ? countInteriorBlock(
                  file, experiment->bindings, program,
                  {.input = options.input, .stop = options.stop, .halo = haloArrays(*experiment), .countHalo = true})
            : std::nullopt;
    if (interior) {
      experiment->opPerByte.interiorBlock = interior->counts.opPerLoadByte();
      experiment->counts.haloFraction = interior->haloFraction;
      experiment->counts.products = interior->products;
      experiment->counts.interiorBindings = interior->bindings;
    }
    if (grid.count() == 1) {
      experiment->warnings.emplace_back("one block covers the whole problem: no block is interior");
    }
  }
  experiment->launch = std::make_shared<const Launch>(std::move(launch));
  return experiment;
}

RooflinePoint rooflinePoint(const KernelFile& file, const Bindings& bindings, const RunOptions& options) {
  const Program program = compile(file, bindings);
  throwIfStopped(options.stop);
  RooflinePoint point{file.id, file.title, bindings, formula(file, bindings), 0};
  if (const auto interior =
          countInteriorBlock(file, bindings, program, {.input = options.input, .stop = options.stop})) {
    point.interiorBlock = interior->counts.opPerLoadByte();
  }
  return point;
}

Bindings carryOver(const Bindings& from, const KernelFile& file) {
  Bindings carried;
  for (const auto& [name, value] : from) {
    if (file.offers(name, value)) { carried[name] = value; }
  }
  return carried;
}

}  // namespace haloscope::experiment
