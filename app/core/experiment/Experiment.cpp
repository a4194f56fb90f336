#include "experiment/Experiment.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "analysis/Counts.h"
#include "analysis/Recorder.h"
#include "experiment/InputData.h"
#include "experiment/InteriorBlock.h"
#include "frontend/Frontend.h"
#include "language/Text.h"
#include "program/BarrierRemoval.h"
#include "simt/Executor.h"

namespace haloscope::experiment {

namespace {

/// Warp instruction limit of a run: a longer block is too slow to be run a dozen times for one picture.
constexpr std::uint64_t kTrialBudget = 5'000'000;
constexpr std::uint64_t kSeeds = 8;

/// The output array after a run of the block, executed statement by statement as in a recording.
std::optional<ArrayData> outputOf(const BarrierTrial& trial, const Program& program, simt::WarpOrder order,
                                  std::uint64_t seed, const std::stop_token& stop) {
  Launch launch = trial.launch;
  simt::ExecuteOptions options{.schedule = simt::Schedule::Statement,
                               .order = order,
                               .orderSeed = seed,
                               .workers = 1,
                               .onlyBlocks = {linear(trial.block, launch.configuration.grid)},
                               .instructionBudget = kTrialBudget,
                               .stop = stop};
  const simt::ExecuteResult result = simt::execute(program, launch, {}, options);
  if (result.outcome != simt::Outcome::Finished) { return std::nullopt; }
  return std::move(launch.arrays.at(trial.output));
}

std::vector<OutputDifference> differences(const ArrayData& expected, const ArrayData& computed) {
  std::vector<OutputDifference> found;
  const auto size = static_cast<std::size_t>(sizeInMemory(expected.element));
  for (std::size_t at = 0; at + size <= expected.bytes.size(); at += size) {
    if (std::memcmp(expected.bytes.data() + at, computed.bytes.data() + at, size) == 0) { continue; }
    OutputDifference difference{static_cast<std::int64_t>(at / size), 0};
    std::memcpy(&difference.expected, expected.bytes.data() + at, size);
    found.push_back(difference);
  }
  return found;
}

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count(); }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

void throwIfStopped(const std::stop_token& stop) {
  if (stop.stop_requested()) { throw Cancelled{}; }
}

/// The header's arrays; without a header, the arrays that the recorded block reads and writes most, if they have the
/// same shape.
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

/// The block in the middle of the grid, an interior one if there is any.
Dim3 middleBlock(const Dim3& grid) { return {grid.x / 2, grid.y / 2, grid.z / 2}; }

/// Whether both execute the same program, perhaps at other sizes, on other data or with their warps in another order.
bool sameProgram(const Experiment& known, const Experiment& wanted) {
  KernelFile file = known.file;
  file.data = wanted.file.data;
  return known.choice.kernel == wanted.choice.kernel && file == wanted.file &&
         file.defines(known.bindings) == file.defines(wanted.bindings) &&
         known.choice.withoutBarriers == wanted.choice.withoutBarriers;
}

/// Whether both also launch it alike: they differ in the focused block at most.
bool launchedAlike(const Experiment& known, const Experiment& wanted) {
  Choice choice = known.choice;
  choice.block = wanted.choice.block;
  choice.bindings = wanted.choice.bindings;  // compared in full below
  return sameProgram(known, wanted) && known.bindings == wanted.bindings && choice == wanted.choice &&
         known.input == wanted.input && known.file.data == wanted.file.data;
}

/// Lowers the text.
void lowerText(Experiment& experiment) {
  const Stopwatch compileTime;
  experiment.withBarriers =
      std::make_shared<const Program>(compile(experiment.file, experiment.bindings, &experiment.warnings));
  experiment.barriers = barrierLines(*experiment.withBarriers);
  std::set<int>& leftOut = experiment.choice.withoutBarriers;
  std::erase_if(leftOut, [&](int line) { return !experiment.barriers.contains(line); });
  experiment.program = leftOut.empty()
                           ? experiment.withBarriers
                           : std::make_shared<const Program>(withoutBarriers(*experiment.withBarriers, leftOut));
  experiment.compileSeconds = compileTime.seconds();
}

/// Lowers the text, or takes the program of the known experiment.
void lower(Experiment& experiment, const Experiment* known) {
  if (known != nullptr) {
    experiment.withBarriers = known->withBarriers;
    experiment.program = known->program;
    experiment.barriers = known->barriers;
    experiment.warnings = known->warnings;
  } else {
    lowerText(experiment);
  }
  std::int64_t& shared = experiment.counts.sharedBytesPerBlock;
  shared = experiment.program->sharedBytes() + experiment.configuration.dynamicSharedBytes;
  if (shared > experiment.configuration.sharedBytesLimit) {
    throw InputError(trf("{}: a block needs {} bytes of shared memory; a block can have at most {}", experiment.file.id,
                         shared, experiment.configuration.sharedBytesLimit));
  }
}

/// Records the focused block. `launch` stays as it begins.
void recordBlock(Experiment& experiment, const Launch& launch, const RunOptions& options) {
  const Choice& choice = experiment.choice;
  const Stopwatch recordTime;
  analysis::RecordOptions recordOptions{.order = choice.order, .orderSeed = choice.orderSeed, .stop = options.stop};
  experiment.recording = analysis::record(experiment.program, launch, experiment.block, recordOptions);
  experiment.recordSeconds = recordTime.seconds();
  experiment.footprint = recording::findFootprint(*experiment.recording);
  experiment.carriers = recording::findCarriers(*experiment.recording);
  experiment.film = std::make_shared<recording::Film>(*experiment.recording, experiment.footprint, experiment.carriers);
  experiment.carrierPlanes = recording::carrierPlanes(*experiment.recording, experiment.footprint, experiment.carriers);
  experiment.writes = recording::OutputWrites(*experiment.recording, experiment.footprint.output);
  if (!choice.withoutBarriers.empty() && experiment.footprint.output != kNone) {
    const BarrierTrial trial{*experiment.withBarriers, *experiment.program, launch, experiment.block,
                             experiment.footprint.output};
    experiment.barrierEffect = barrierEffect(trial, choice.order, choice.orderSeed, options.stop);
  }
}

void takeRecording(Experiment& experiment, const Experiment& known) {
  experiment.recording = known.recording;
  experiment.footprint = known.footprint;
  experiment.carriers = known.carriers;
  experiment.film = known.film;
  experiment.carrierPlanes = known.carrierPlanes;
  experiment.writes = known.writes;
  experiment.barrierEffect = known.barrierEffect;
}

/// Executes an interior block, if the grid came to its end: otherwise it was counted as far as it came, and an interior
/// block says no more. A launch that left its arrays may have done so at the border alone.
void countInterior(Experiment& experiment, const RunOptions& options) {
  if (experiment.outcome != simt::Outcome::Finished) { return; }
  const auto interior = countInteriorBlock(experiment.file, experiment.bindings, *experiment.program,
                                           {.input = options.input,
                                            .chosen = experiment.choice.data,
                                            .stop = options.stop,
                                            .halo = haloArrays(experiment),
                                            .countHalo = true});
  if (!interior) { return; }
  experiment.opPerByte.interiorBlock = interior->counts.opPerLoadByte();
  experiment.counts.haloFraction = interior->haloFraction;
  experiment.counts.interiorLoadsPerOutput = analysis::globalLoadsPerStore(interior->counts, *experiment.program);
  experiment.counts.products = interior->products;
  experiment.counts.interiorBindings = interior->bindings;
}

/// Executes the whole grid; `launch` receives its outputs.
void countGrid(Experiment& experiment, Launch& launch, const RunOptions& options) {
  const Stopwatch executeTime;
  simt::ExecuteOptions executeOptions{.order = experiment.choice.order,
                                      .orderSeed = experiment.choice.orderSeed,
                                      .workers = options.workers,
                                      .stop = options.stop};
  simt::ExecuteResult result;
  analysis::RequestCounter requests(*experiment.program);
  std::vector<simt::Observer*> observers(options.observers.begin(), options.observers.end());
  observers.push_back(&requests);
  experiment.grid = analysis::count(*experiment.program, launch, executeOptions, &result, observers);
  experiment.fault = faultOf(result);
  experiment.outcome = result.outcome;
  experiment.requests = requests.totals();
  experiment.executeSeconds = executeTime.seconds();
  const analysis::Counts& counts = experiment.grid;
  experiment.counts.flops = counts.flops;
  experiment.counts.globalLoadBytes = counts.traffic.globalLoad;
  experiment.counts.globalStoreBytes = counts.traffic.globalStore;
  experiment.counts.constantLoadBytes = counts.traffic.constantLoad;
  experiment.counts.sharedLoadBytes = counts.traffic.sharedLoad;
  experiment.counts.sharedStoreBytes = counts.traffic.sharedStore;
  experiment.counts.clusterLoadBytes = counts.traffic.clusterLoad;
  experiment.counts.clusterStoreBytes = counts.traffic.clusterStore;
  experiment.opPerByte.executed = counts.opPerLoadByte();
  experiment.opPerByte.withStores = counts.opPerByte();
  countInterior(experiment, options);
}

/// What countGrid() counted for the known experiment.
void takeCounts(Experiment& experiment, const Experiment& known, const RunOptions& options) {
  experiment.grid = known.grid;
  experiment.requests = known.requests;
  experiment.fault = known.fault;
  experiment.outcome = known.outcome;
  experiment.counts = known.counts;
  experiment.opPerByte = known.opPerByte;
  // Without a header the halo is counted between arrays that the focused block's accesses suggest.
  if (haloArrays(experiment) != haloArrays(known)) { countInterior(experiment, options); }
}

/// Sizes of arrays that are filled in no time, if those chosen are larger: any grid with an interior block will do.
/// What vectors of four divide they divide again, and what they do not stays so.
Bindings quicklyFilled(const KernelFile& file, Bindings bindings, const Program& program) {
  constexpr std::int64_t kBytes = std::int64_t{4} << 20;
  constexpr std::int64_t kVector = 4;
  while (file.data == nullptr && arrayBytes(file, bindings, program) > kBytes) {
    Bindings smaller = bindings;
    for (const SizeParameter& size : file.sizes) {
      std::int64_t& now = smaller[size.name];
      const std::int64_t half = now / 2 / kVector * kVector + now % kVector;
      now = half < size.minimum ? now : half;
    }
    if (smaller == bindings) { break; }
    bindings = std::move(smaller);
  }
  return bindings;
}

}  // namespace

std::optional<BarrierEffect> barrierEffect(const BarrierTrial& trial, simt::WarpOrder order, std::uint64_t seed,
                                           const std::stop_token& stop) {
  const auto expected = outputOf(trial, trial.with, simt::WarpOrder::SideBySide, 0, stop);
  const auto computed = expected ? outputOf(trial, trial.without, order, seed, stop) : std::nullopt;
  if (!computed) { return std::nullopt; }
  BarrierEffect effect;
  effect.differences = differences(*expected, *computed);
  if (!effect.differences.empty()) { return effect; }

  using simt::WarpOrder;
  std::vector<std::pair<WarpOrder, std::uint64_t>> others = {
      {WarpOrder::InOrder, 0}, {WarpOrder::Reversed, 0}, {WarpOrder::Adversarial, 0}};
  for (std::uint64_t other = 0; other < kSeeds; ++other) { others.emplace_back(WarpOrder::Random, other); }
  for (const auto& [otherOrder, otherSeed] : others) {
    if (otherOrder == order && (order != WarpOrder::Random || otherSeed == seed)) { continue; }
    const auto other = outputOf(trial, trial.without, otherOrder, otherSeed, stop);
    if (!other) { continue; }
    ++effect.ordersTried;
    if (const std::size_t count = differences(*expected, *other).size(); count > 0) {
      effect.revealing = RevealingOrder{otherOrder, otherSeed, count};
      break;
    }
  }
  return effect;
}

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
  frontend::CompileResult result =
      frontend::compile(file.path.string(), file.text, frontend::optionsOf(file, bindings));
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
  const Dim3 grid = experiment->configuration.grid;
  experiment->block = choice.block.value_or(middleBlock(grid));
  // A block chosen on a larger grid is clamped to the new grid.
  experiment->block = {std::min(experiment->block.x, grid.x - 1), std::min(experiment->block.y, grid.y - 1),
                       std::min(experiment->block.z, grid.z - 1)};
  const Experiment* const before =
      options.known != nullptr && sameProgram(*options.known, *experiment) ? options.known.get() : nullptr;
  const Experiment* const known = before != nullptr && launchedAlike(*before, *experiment) ? before : nullptr;

  lower(*experiment, before);
  throwIfStopped(options.stop);
  const bool recorded = known != nullptr && known->recording != nullptr && known->block == experiment->block &&
                        known->recording->source == recording::Recording::Source::Emulator;
  const bool counted = known != nullptr && known->outcome && options.observers.empty();
  std::optional<Launch> launch;
  if ((options.record && !recorded) || !counted) {
    launch = initialLaunch(*experiment);
    experiment->launchData = holdsLaunchData(file, *experiment->program, *launch);
  }
  if (options.record) {
    if (recorded) {
      takeRecording(*experiment, *known);
    } else {
      recordBlock(*experiment, *launch, options);
    }
    throwIfStopped(options.stop);
  }
  experiment->opPerByte.formula = formula(file, experiment->bindings);
  if (counted) {
    takeCounts(*experiment, *known, options);
    experiment->launch = known->launch;
    experiment->launchData = known->launchData;
    return experiment;
  }
  if (options.countGrid) { countGrid(*experiment, *launch, options); }
  experiment->launch = std::make_shared<const Launch>(*std::move(launch));
  return experiment;
}

Launch initialLaunch(const Experiment& experiment) {
  return makeLaunch(experiment.file, experiment.bindings, *experiment.program, experiment.input,
                    experiment.choice.data);
}

RooflinePoint rooflinePoint(const KernelFile& file, const Bindings& bindings, const RunOptions& options) {
  const Program program = compile(file, bindings);
  throwIfStopped(options.stop);
  RooflinePoint point{file.id, file.title, bindings, formula(file, bindings), 0};
  if (const auto interior = countInteriorBlock(file, quicklyFilled(file, bindings, program), program,
                                               {.input = options.input, .stop = options.stop})) {
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
