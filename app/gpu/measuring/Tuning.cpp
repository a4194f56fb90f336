#include "measuring/Tuning.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <iterator>
#include <memory>
#include <optional>
#include <stop_token>
#include <thread>

#include "checking/ShippedVariants.h"
#include "driver/Compiler.h"
#include "driver/Device.h"
#include "driver/Kernel.h"
#include "experiment/EffectiveBytes.h"
#include "experiment/Experiment.h"
#include "experiment/FaultlessRun.h"
#include "experiment/InputData.h"
#include "hardware/KernelBench.h"
#include "language/Text.h"
#include "measuring/GpuGate.h"
#include "measuring/GpuText.h"
#include "measuring/TuningMap.h"
#include "measuring/TuningSizes.h"
#include "program/Program.h"
#include "program/SourceLocation.h"
#include "work/Worker.h"

namespace haloscope::measuring {

/// A cell of the map, ready to be timed.
struct CompiledCell {
  TuningCell cell;  ///< with what its code takes, or why it cannot run
  std::shared_ptr<const Program> program;
  std::unique_ptr<gpu::Kernel> kernel;  ///< null: it cannot run, or there is no GPU
};

/// What cells are compiled with.
struct CellCompiler {
  GpuGate& gate;
  std::shared_ptr<const gpu::Device> device;      ///< null: for `capability` by `compiler`
  std::shared_ptr<const gpu::Compiler> compiler;  ///< null too: registers stay unknown
  int capability = 0;                             ///< 90 for 9.0
  gpu::MultiprocessorLimits limits;
  std::stop_token stop{};
};

namespace {

std::string sharedLimit(const TuningCell& cell) {
  return trf("a block needs {} bytes of shared memory; the maximum is {}", cell.sharedBytes,
             cell.configuration.sharedBytesLimit);
}

std::string residenceLimit(const TuningCell& cell, const gpu::MultiprocessorLimits& limits) {
  const std::uint32_t threads = cell.configuration.threadsPerBlock();
  if (cell.occupancy.limitedBy == "registers") {
    return trf("{} threads with {} registers each need more than the {} registers of a multiprocessor", threads,
               cell.registers, limits.registers);
  }
  return sharedLimit(cell);
}

/// `clearance` is there if a device is.
void compileCode(const KernelFile& file, CompiledCell& compiled, const CellCompiler& with,
                 const std::optional<gpu::Clearance>& clearance) {
  TuningCell& cell = compiled.cell;
  gpu::KernelText text = gpuText(file, cell.bindings);
  text.registerLimit = cell.registerLimit;
  if (clearance) {
    compiled.kernel = std::make_unique<gpu::Kernel>(*clearance, with.device, text, *compiled.program);
    cell.registers = compiled.kernel->resources().registersPerThread;
    cell.spillBytes = compiled.kernel->resources().spillBytes;
  } else if (with.compiler) {
    const std::string name = text.kernel.empty() ? compiled.program->kernel : text.kernel;
    const gpu::CompiledText code = with.compiler->compile(text, {name}, with.capability);
    const auto symbol = code.symbols.find(name);
    const auto found = code.resources.find(symbol == code.symbols.end() ? name : symbol->second);
    if (found != code.resources.end()) {
      cell.registers = found->second.registers;
      cell.spillBytes = found->second.spillBytes;
    }
  }
}

/// Lowers, executes on the emulator at the header's sizes, and compiles; for a GPU the cell must be cleared by
/// the gate at its own sizes. If the cell cannot run, its limit gives the reason. Takes tens of milliseconds,
/// a check seconds at worst; may be called from several threads. When asked to stop, a cell that may not be compiled.
/// Throws gpu::Error if the GPU is lost.
CompiledCell compileCell(const KernelFile& file, TuningCell cell, const CellCompiler& with) {
  CompiledCell compiled{std::move(cell), nullptr, nullptr};
  TuningCell& at = compiled.cell;
  if (!at.limit.empty()) { return compiled; }
  try {
    compiled.program = std::make_shared<const Program>(experiment::compile(file, at.bindings));
    at.sharedBytes = compiled.program->sharedBytes() + at.configuration.dynamicSharedBytes;
    if (at.sharedBytes > at.configuration.sharedBytesLimit) {
      at.limit = sharedLimit(at);
      return compiled;
    }
    constexpr unsigned kWorkers = 1;  // other cells are compiled at the same time
    experiment::expectFaultless(file, at.bindings, *compiled.program, kWorkers);
    std::optional<gpu::Clearance> clearance;
    if (with.device) { clearance = with.gate.require(file, at.bindings, {.workers = kWorkers, .stop = with.stop}); }
    compileCode(file, compiled, with, clearance);
  } catch (const experiment::Cancelled&) { return compiled; } catch (const UserError& refused) {
    const SourceRange& where = refused.where();
    at.limit = where.valid() ? trf("line {}: {}", where.line, refused.message()) : refused.message();
    return compiled;
  }
  const auto threads = static_cast<int>(at.configuration.threadsPerBlock());
  at.occupancy = gpu::occupancyOf(with.limits, threads, at.registers, at.sharedBytes);
  at.compiled = true;
  if (at.occupancy.residentBlocks == 0) {
    at.limit = residenceLimit(at, with.limits);
    compiled.kernel.reset();
  } else if (compiled.kernel) {
    // What the driver computes replaces what the table says.
    at.occupancy.residentBlocks = compiled.kernel->residentBlocks(at.configuration);
    at.occupancy.share = static_cast<double>(at.occupancy.residentBlocks) * at.configuration.warpsPerBlock() *
                         kWarpSize / with.limits.threads;
  }
  return compiled;
}

using Clock = std::chrono::steady_clock;

/// A CUDA version that NVRTC is looked for, where no driver says which it can load.
constexpr int kAnyDriver = 13000;

/// Cells that are compiled while another is timed: some cores are left to the window.
std::size_t compiledAhead() { return std::clamp(std::thread::hardware_concurrency() / 2, 1U, 6U); }

CellCompiler cellCompiler(GpuGate& gate, const TuningTarget& target, const gpu::MultiprocessorLimits& limits,
                          const std::stop_token& stop, std::string& note) {
  CellCompiler with{.gate = gate, .device = target.device, .compiler = {}, .limits = limits, .stop = stop};
  if (with.device) { return with; }
  const std::size_t dot = target.computeCapability.find('.');
  with.capability =
      std::stoi(target.computeCapability.substr(0, dot)) * 10 + std::stoi(target.computeCapability.substr(dot + 1));
  note = trf("Times need a GPU: {}.", target.missing);
  try {
    with.compiler = std::make_shared<const gpu::Compiler>(kAnyDriver, gpu::Compiler::sharedCache());
  } catch (const gpu::Unavailable& missing) { note += trf(" Registers are not known: {}.", missing.what()); }
  return with;
}

/// Throws InputError.
gpu::MultiprocessorLimits limitsOf(const TuningTarget& target) {
  const auto limits = gpu::limitsOf(target.computeCapability);
  if (!limits) {
    throw InputError(trf("the multiprocessor limits of compute capability {} are not known", target.computeCapability));
  }
  return *limits;
}

/// The finished cell before this one that differs only in that its registers are not limited; null: there is none.
const TuningCell* withoutLimit(const std::vector<TuningCell>& cells, std::size_t index) {
  const TuningCell& limited = cells[index];
  if (limited.registerLimit == 0) { return nullptr; }
  const auto end = cells.begin() + static_cast<std::ptrdiff_t>(index);
  const auto free = std::find_if(cells.begin(), end, [&](const TuningCell& one) {
    return one.compiled && one.registerLimit == 0 && one.bindings == limited.bindings;
  });
  return free == end ? nullptr : &*free;
}

/// Whether the cells of `known` are those that `map` plans.
bool sameCells(const TuningMap& known, const TuningMap& map, const TuningTarget& target) {
  const auto same = [](const TuningCell& a, const TuningCell& b) {
    return a.bindings == b.bindings && a.registerLimit == b.registerLimit;
  };
  return known.filled && known.kernel == map.kernel && known.gpu == target.name && known.size == map.size &&
         known.timing == (target.device != nullptr) && known.columns.name == map.columns.name &&
         known.rows.name == map.rows.name && std::ranges::equal(known.cells, map.cells, same);
}

}  // namespace

TuningTarget targetOf(const std::shared_ptr<const gpu::Device>& device, double copyGBs) {
  const gpu::DeviceProperties& properties = device->properties();
  return {device, properties.name, properties.computeCapability(), properties.multiprocessors, copyGBs, {}};
}

std::int64_t fullSize(const KernelFile& file) {
  const std::size_t rank = file.arrays.empty() ? 1 : file.arrays.front().shape.size();
  std::int64_t size = rank >= 3 ? 512 : rank == 2 ? 8192 : std::int64_t{1} << 26U;
  for (const SizeParameter& one : file.sizes) { size = std::min(size, one.maximum); }
  return size;
}

Tuner::Tuner(work::Pool& pool, GpuGate& gate) : pool_(pool), gate_(gate) {}
Tuner::~Tuner() = default;

hardware::KernelBench& Tuner::bench(const TuningTarget& target) {
  if (device_ != target.device) {
    bench_.reset();
    device_ = target.device;
  }
  if (!bench_) { bench_ = std::make_unique<hardware::KernelBench>(device_); }
  return *bench_;
}

TuningMap Tuner::tune(const TuningRequest& request, const TuningProgress& progress, const std::stop_token& stop,
                      const TuningMap* known) {
  const Clock::time_point begin = Clock::now();
  const gpu::MultiprocessorLimits limits = limitsOf(request.target);
  // Any other text is checked at its sizes before the GPU runs it, which takes too long at larger ones: they stay.
  const bool enlarge = request.size == 0 && checking::isShippedVariant(request.file);
  const std::int64_t size = enlarge ? fullSize(request.file) : request.size;
  TuningMap map = planTuning(request.file, request.bindings, size, request.axes, limits);
  map.gpu = request.target.name;
  map.timing = request.target.device != nullptr;
  map.copyGBs = request.target.copyGBs;
  try {
    if (known != nullptr && sameCells(*known, map, request.target)) {
      const Bindings bindings = map.bindings;
      map = *known;
      map.bindings = bindings;
      map.sizes.clear();
      map.complete = false;
    } else {
      fillCells(request, map, progress, stop);
      map.filled = !stop.stop_requested();
      map.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    }
    if (!stop.stop_requested()) { fillSizes(request, map, progress, stop); }
  } catch (...) {
    bench_.reset();  // after a failure of the GPU what it holds is gone
    throw;
  }
  map.complete = !stop.stop_requested();
  return map;
}

std::vector<hardware::SensorReading> Tuner::timeCells(const TuningRequest& request, const CellCompiler& with,
                                                      std::vector<TuningCell>& cells,
                                                      const std::function<void()>& finished) {
  const KernelFile& file = request.file;
  using Compile = work::Worker<TuningCell, CompiledCell>;
  std::deque<std::unique_ptr<Compile>> ahead;
  std::size_t next = 0;
  std::vector<hardware::SensorReading> readings;
  for (std::size_t i = 0; i < cells.size() && !with.stop.stop_requested(); ++i) {
    for (; next < cells.size() && ahead.size() < compiledAhead(); ++next) {
      ahead.push_back(std::make_unique<Compile>(
          pool_, work::Demand{work::Priority::Background, work::Cores::One},
          [&file, &with](const TuningCell& one, const std::stop_token&) { return compileCell(file, one, with); }));
      ahead.back()->request(cells[next]);
    }
    const CompiledCell compiled = ahead.front()->wait().value();
    ahead.pop_front();
    TuningCell& cell = cells[i];
    cell = compiled.cell;
    const TuningCell* free = withoutLimit(cells, i);
    if (free != nullptr && free->registers > 0 && free->registers <= cell.registerLimit) {
      const int limit = cell.registerLimit;
      cell = *free;
      cell.registerLimit = limit;
      cell.freeAnyway = true;
    } else if (compiled.kernel) {
      const Launch launch =
          experiment::makeLaunch(file, cell.bindings, *compiled.program, experiment::InputKind::Shape);
      hardware::KernelBench::Options options;
      options.stop = with.stop;
      const auto result = bench(request.target).time(*compiled.kernel, *compiled.program, launch, options);
      cell.time = result.time;
      cell.effectiveGBs = cell.time.perNanosecond(experiment::effectiveBytes(file, cell.bindings, *compiled.program));
      cell.fractionOfCopy = request.target.copyGBs > 0 ? cell.effectiveGBs / request.target.copyGBs : 0;
      readings.insert(readings.end(), result.readings.begin(), result.readings.end());
    }
    finished();
  }
  return readings;
}

void Tuner::fillCells(const TuningRequest& request, TuningMap& map, const TuningProgress& progress,
                      const std::stop_token& stop) {
  const CellCompiler with = cellCompiler(gate_, request.target, limitsOf(request.target), stop, map.note);
  const auto tell = [&] {
    if (progress) { progress(map); }
  };
  tell();
  const hardware::Conditions conditions = hardware::conditionsOf(timeCells(request, with, map.cells, tell));
  map.disturbance = conditions.disturbance;
  map.clockMHz = conditions.medianClockMHz;
  map.powerWatts = conditions.powerWatts;
}

TileSearch Tuner::search(const TuningRequest& request, int candidates, const std::stop_token& stop) {
  std::string note;
  const CellCompiler with = cellCompiler(gate_, request.target, limitsOf(request.target), stop, note);
  const KernelFile& file = request.file;
  try {
    std::vector<hardware::SensorReading> readings;
    const auto time = [&](const std::vector<Bindings>& all) {
      std::vector<TuningCell> cells;
      for (const Bindings& bindings : all) {
        TuningCell& cell = cells.emplace_back();
        cell.bindings = bindings;
        cell.configuration = file.configuration(bindings);
      }
      std::ranges::move(timeCells(request, with, cells, [] {}), std::back_inserter(readings));
      std::vector<double> times;
      for (const TuningCell& cell : cells) { times.push_back(cell.time.medianMs); }
      return times;
    };
    TileSearch found = searchTiles(file, file.bind(request.bindings), candidates, time);
    const hardware::Conditions conditions = hardware::conditionsOf(readings);
    found.disturbance = conditions.disturbance;
    found.competed = conditions.competed;
    return found;
  } catch (...) {
    bench_.reset();  // as in tune()
    throw;
  }
}

void Tuner::fillSizes(const TuningRequest& request, TuningMap& map, const TuningProgress& progress,
                      const std::stop_token& stop) {
  const KernelFile& file = request.file;
  if (!checking::isShippedVariant(file) && request.target.device != nullptr) {
    map.note = file.sizes.empty()
                   ? ""
                   : tr("It is not timed at other N: a kernel that does not ship with Haloscope is timed "
                        "only at the N at which it was checked.");
    return;
  }
  std::string note;
  TuningCell chosen;
  try {
    chosen.bindings = file.bind(map.bindings);
    chosen.configuration = file.configuration(chosen.bindings);
  } catch (const InputError&) { return; }  // its cell says why
  const CompiledCell compiled =
      compileCell(file, chosen, cellCompiler(gate_, request.target, limitsOf(request.target), stop, note));
  if (!compiled.cell.limit.empty()) { return; }
  map.sizes = planSizes(file, compiled.cell, map.size, request.target.multiprocessors);
  for (auto point = map.sizes.rbegin(); point != map.sizes.rend() && compiled.kernel; ++point) {
    // The largest first: memory is allocated once.
    if (stop.stop_requested()) { return; }
    const Launch launch =
        experiment::makeLaunch(file, point->bindings, *compiled.program, experiment::InputKind::Shape);
    hardware::KernelBench::Options options;
    options.stop = stop;
    options.budgetMs = 15;
    point->time = bench(request.target).time(*compiled.kernel, *compiled.program, launch, options).time;
    point->nsPerPoint = point->points > 0 ? point->time.medianMs * 1e6 / point->points : 0;
    if (progress) { progress(map); }
  }
}

}  // namespace haloscope::measuring
