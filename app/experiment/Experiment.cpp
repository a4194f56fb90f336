#include "experiment/Experiment.h"

#include <algorithm>
#include <chrono>

#include "analysis/Counts.h"
#include "analysis/Footprint.h"
#include "analysis/Recorder.h"
#include "experiment/ExperimentRunner.h"
#include "experiment/InputData.h"
#include "frontend/Frontend.h"
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

/// A launch that did not come to its end, or left its arrays, is no experiment: its counts would mean nothing.
void expectFinished(const KernelFile& file, const simt::ExecuteResult& result) {
  if (result.outcome == simt::Outcome::Stopped) { throw Cancelled{}; }
  if (result.outcome != simt::Outcome::Finished) {
    throw SourceError(file.path.string(), result.where, result.message);
  }
  if (result.outOfBounds > 0) {
    throw SourceError(file.path.string(), result.firstOutOfBounds, result.firstOutOfBoundsMessage);
  }
}

std::shared_ptr<const Program> compile(const KernelFile& file, const Bindings& bindings,
                                       std::vector<std::string>* warnings) {
  frontend::CompileOptions options;
  options.defines = file.defines(bindings);
  options.kernel = file.kernel;
  frontend::CompileResult result = frontend::compile(file.path.string(), file.text, options);
  if (warnings != nullptr) {
    for (const frontend::Diagnostic& warning : result.warnings) {
      warnings->push_back(SourceError(file.path.string(), warning.where, warning.message).what());
    }
  }
  return std::make_shared<const Program>(std::move(result.program));
}

/// The block in the middle of the grid: an interior one if there is any.
Dim3 middleBlock(const Dim3& grid) { return {grid.x / 2, grid.y / 2, grid.z / 2}; }

/// What one block in the middle of a grid counts.
struct InteriorCounts {
  analysis::Counts counts;
  double haloFraction = 0;
};

InteriorCounts countMiddleBlock(const KernelFile& file, const Bindings& bindings, const Program& program) {
  Launch launch = makeLaunch(file, bindings, program, InputKind::Zero);
  const Dim3 grid = launch.configuration.grid;
  simt::ExecuteOptions options;
  options.workers = 1;
  options.onlyBlocks = {linear(middleBlock(grid), grid)};
  InteriorCounts interior;
  simt::ExecuteResult result;
  interior.counts = analysis::count(program, launch, options, &result);
  expectFinished(file, result);
  if (file.computes) {
    analysis::FootprintObserver footprint(program);
    simt::Observer* const observers[] = {&footprint};
    simt::execute(program, launch, observers, options);
    interior.haloFraction =
        footprint.haloFraction(program.findObject(file.computes->input), program.findObject(file.computes->output));
  }
  return interior;
}

bool hasInterior(const Dim3& grid, const Dim3& largerGrid) {
  const auto axis = [](std::uint32_t here, std::uint32_t larger) { return here >= 3 || here == larger; };
  return axis(grid.x, largerGrid.x) && axis(grid.y, largerGrid.y) && axis(grid.z, largerGrid.z);
}

/// All sizes multiplied, as far as their ranges allow.
Bindings enlarged(const KernelFile& file, const Bindings& bindings, double factor) {
  Bindings larger = bindings;
  for (const SizeParameter& size : file.sizes) {
    const auto wanted = static_cast<std::int64_t>(static_cast<double>(bindings.at(size.name)) * factor) + 1;
    larger[size.name] = std::min(wanted, std::max(size.maximum, bindings.at(size.name)));
  }
  return larger;
}

/// Counts an interior block: the middle block of a grid that is enlarged until it has interior blocks and enlarging it
/// further changes nothing.
InteriorCounts countInteriorBlock(const KernelFile& file, Bindings bindings, const Program& program,
                                  const std::stop_token& stop) {
  constexpr double kGrowth = 1.5;
  InteriorCounts last = countMiddleBlock(file, bindings, program);
  bool lastHadInterior = false;
  for (int attempt = 0; attempt < 24; ++attempt) {
    throwIfStopped(stop);
    const Bindings larger = enlarged(file, bindings, kGrowth);
    if (larger == bindings) {
      break;  // as large as the sizes may be
    }
    const Dim3 grid = file.configuration(bindings).grid;
    const bool interior = hasInterior(grid, file.configuration(larger).grid);
    bindings = larger;
    if (!interior) { continue; }
    InteriorCounts next = countMiddleBlock(file, bindings, program);
    const bool settled =
        lastHadInterior && next.counts.flops == last.counts.flops && next.counts.traffic == last.counts.traffic;
    last = std::move(next);
    lastHadInterior = true;
    if (settled) { break; }
  }
  return last;
}

std::optional<double> formula(const KernelFile& file, const Bindings& bindings) {
  return file.opPerByte ? std::optional(file.opPerByte->evaluate(bindings)) : std::nullopt;
}

}  // namespace

std::shared_ptr<const Experiment> run(const Catalogue& catalogue, const Choice& choice, const RunOptions& options) {
  auto experiment = std::make_shared<Experiment>();
  experiment->choice = choice;
  experiment->file = catalogue.at(choice.kernel);
  const KernelFile& file = experiment->file;
  experiment->bindings = file.bind(choice.bindings);
  experiment->configuration = file.configuration(experiment->bindings);

  const Stopwatch compileTime;
  experiment->program = compile(file, experiment->bindings, &experiment->warnings);
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
    experiment->recording = analysis::record(experiment->program, launch, experiment->block, recordOptions);
    experiment->recordSeconds = recordTime.seconds();
    experiment->footprint = recording::findFootprint(*experiment->recording);
    experiment->carriers = recording::findCarriers(*experiment->recording);
    throwIfStopped(options.stop);
  }

  experiment->opPerByte.formula = formula(file, experiment->bindings);
  if (options.countGrid) {
    const Stopwatch executeTime;
    simt::ExecuteOptions executeOptions;
    executeOptions.workers = options.workers;
    executeOptions.stop = options.stop;
    simt::ExecuteResult result;
    experiment->grid = analysis::count(program, launch, executeOptions, &result);
    expectFinished(file, result);
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
    const InteriorCounts interior = countInteriorBlock(file, experiment->bindings, program, options.stop);
    experiment->opPerByte.interiorBlock = interior.counts.opPerLoadByte();
    experiment->counts.haloFraction = interior.haloFraction;
  }
  experiment->launch = std::make_shared<const Launch>(std::move(launch));
  return experiment;
}

RooflinePoint rooflinePoint(const KernelFile& file, const Bindings& bindings, const RunOptions& options) {
  const std::shared_ptr<const Program> program = compile(file, bindings, nullptr);
  throwIfStopped(options.stop);
  RooflinePoint point;
  point.id = file.id;
  point.title = file.title;
  point.opPerByte.formula = formula(file, bindings);
  const InteriorCounts interior = countInteriorBlock(file, bindings, *program, options.stop);
  point.opPerByte.interiorBlock = interior.counts.opPerLoadByte();
  point.opPerByte.withStores = interior.counts.opPerByte();
  return point;
}

Bindings carryOver(const Bindings& from, const KernelFile& file) {
  Bindings carried;
  for (const auto& [name, value] : from) {
    const SizeParameter* size = file.findSize(name);
    const Tunable* tunable = file.findTunable(name);
    if ((size != nullptr && value >= size->minimum && value <= size->maximum) ||
        (tunable != nullptr && value >= tunable->minimum && value <= tunable->maximum)) {
      carried[name] = value;
    }
  }
  return carried;
}

}  // namespace haloscope::experiment
