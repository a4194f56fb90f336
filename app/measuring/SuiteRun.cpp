#include "measuring/SuiteRun.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "checking/GpuGate.h"
#include "experiment/Experiment.h"
#include "experiment/InputData.h"
#include "experiment/Reference.h"
#include "gpu/Device.h"
#include "hardware/ProblemBench.h"
#include "measuring/GpuText.h"
#include "measuring/Tuning.h"
#include "program/SourceLocation.h"
#include "work/Pool.h"

namespace haloscope::measuring {

namespace {

/// Size at which the root is compared with the reference: no multiple of a vector or a tile.
constexpr std::int64_t kRootSize = 33;

/// A variant that is ready to run.
struct ReadyVariant {
  Program program;
  Launch launch;
  ObjectId input = kNone, output = kNone;
  std::unique_ptr<gpu::Kernel> kernel;
};

/// Throws UserError, gpu::Unavailable and gpu::Error.
ReadyVariant readied(const KernelFile& file, const Bindings& bindings, checking::GpuGate& gate,
                     const std::shared_ptr<const gpu::Device>& device) {
  ReadyVariant ready{.program = experiment::compile(file, bindings), .launch = {}, .kernel = {}};
  const gpu::Clearance clearance = gate.require(file, bindings);
  const Program& program = ready.program;
  ready.launch = experiment::makeLaunch(file, bindings, program, experiment::InputKind::Shape);
  ready.input = program.findObject(file.computes->input);
  ready.output = program.findObject(file.computes->output);
  for (ObjectId id = 0; id < program.objects.size(); ++id) {
    // The two large arrays are on the device; the others are small, such as a filter in global memory.
    ArrayData& array = ready.launch.arrays[id];
    if (id == ready.input || id == ready.output || !array.bytes.empty() || array.extents.empty()) { continue; }
    array.bytes.resize(static_cast<std::size_t>(array.elementCount() * sizeInMemory(array.element)));
    program.objects[id].name == file.computes->weights ? experiment::fillWeights(array)
                                                       : experiment::fillRandom(array, id);
  }
  ready.kernel = std::make_unique<gpu::Kernel>(clearance, device, gpuText(file, bindings), program);
  return ready;
}

/// How far two kernels may be apart that sum the same in another order, for an input in [-1, 1): each within the
/// tolerance of the reference, relative to the largest sum of the summands' magnitudes.
double differenceAllowed(const KernelFile& file, const Bindings& bindings, const ReadyVariant& ready,
                         std::int64_t steps) {
  const ArrayData weights = experiment::weightsOf(file, bindings, ready.program, ready.launch.arrays);
  double magnitude = 0;
  for (std::int64_t tap = 0; tap < weights.elementCount(); ++tap) {
    magnitude += std::abs(experiment::valueAt(weights, tap));
  }
  const auto count = static_cast<double>(steps);
  const ValueType type = ready.program.objects[ready.output].element;
  return 2 * count * experiment::toleranceOf(file.taps(bindings).size(), type) * std::pow(magnitude, count);
}

double perNanosecond(double count, const gpu::Spread& time) {
  return time.medianMs > 0 ? count / (time.medianMs * 1e6) : 0;
}

/// Runs `work`; whatever one variant's failure says, unless the GPU is lost.
template <typename Work>
std::string problemOf(const Work& work) {
  try {
    work();
    return {};
  } catch (const gpu::Error& error) {
    if (error.endsProcess()) { throw; }
    return error.what();
  } catch (const gpu::Unavailable& error) { return error.what(); } catch (const UserError& error) {
    return error.what();
  }
}

}  // namespace

const SuiteEntry* SuiteClass::best() const {
  // What is compared with a wrong root is not verified.
  if (std::ranges::any_of(rootChecks, &Verification::failed)) { return nullptr; }
  const SuiteEntry* found = nullptr;
  for (const SuiteEntry& entry : entries) {
    if (!entry.verified || entry.time.samples == 0 || entry.steps != limit.steps) { continue; }
    if (found == nullptr || entry.fraction(limit.measure) > found->fraction(limit.measure)) { found = &entry; }
  }
  return found;
}

bool SuiteClass::right() const {
  return std::ranges::none_of(rootChecks, &Verification::failed) &&
         std::ranges::all_of(entries, [](const SuiteEntry& entry) { return entry.verified || !entry.problem.empty(); });
}

SuiteRun::SuiteRun(std::shared_ptr<const gpu::Device> device, checking::GpuGate& gate, work::Pool& pool,
                   TunedTiles tiles)
    : device_(std::move(device)),
      gate_(gate),
      pool_(pool),
      tiles_(std::move(tiles)),
      peaks_(hardware::measurePeaks(device_)) {}

void SuiteRun::tune(const KernelFile& file, const Bindings& bindings, int candidates) {
  if (tuningAxes(file).empty()) { return; }
  TuningRequest request;
  request.file = file;
  request.bindings = tiles_.choose(file, bindings).bindings;
  request.target = targetOf(device_, peaks_.copyGBs);
  const TileSearch found = Tuner(pool_, gate_).search(request, candidates);
  tiles_.keep(file, found.best, found.milliseconds);
}

std::unique_ptr<hardware::ProblemBench> SuiteRun::benchOf(const ArrayData& output) const {
  const double needed = hardware::ProblemBench::bytesNeeded(output.element, output.elementCount());
  const auto free = static_cast<double>(device_->freeBytes());
  if (needed > free) {
    constexpr double kGiB = 1U << 30U;
    throw InputError(fmt::format("the class needs {:.1f} GiB of device memory, of which {:.1f} GiB are free",
                                 needed / kGiB, free / kGiB));
  }
  return std::make_unique<hardware::ProblemBench>(device_, output.element, output.elementCount());
}

SuiteClass SuiteRun::measure(const PlannedClass& plan, const SuiteOptions& options) {
  SuiteClass result{.limit = plan.limit, .leftOut = plan.leftOut, .problem = plan.problem};
  if (plan.variants.empty()) { return result; }
  const PlannedVariant& root = plan.variants.front();
  result.rootCheckedAt = root.bindings;
  for (const SizeParameter& size : root.file->sizes) {
    result.rootCheckedAt[size.name] = std::clamp(kRootSize, size.minimum, size.maximum);
  }
  result.problem = problemOf([&] { result.rootChecks = options.verify(*root.file, result.rootCheckedAt, gate_); });
  if (!result.problem.empty()) { return result; }
  if (options.tuneCandidates > 0) {
    for (const PlannedVariant& variant : plan.variants) {
      // What is wrong with a variant is said when it is timed.
      static_cast<void>(problemOf([&] { tune(*variant.file, variant.bindings, options.tuneCandidates); }));
    }
  }

  std::unique_ptr<hardware::ProblemBench> bench;
  for (const PlannedVariant& variant : plan.variants) {
    const bool isRoot = &variant == &root;
    SuiteEntry& entry = result.entries.emplace_back();
    const TunedTiles::Chosen chosen = tiles_.choose(*variant.file, variant.bindings);
    entry.variant = {variant.file, variant.height, chosen.bindings};
    entry.tile = chosen.source;
    entry.steps = variant.file->steps(chosen.bindings);
    entry.problem = problemOf([&] {
      ReadyVariant ready = readied(*variant.file, chosen.bindings, gate_, device_);
      const ArrayData& output = ready.launch.arrays[ready.output];
      if (isRoot) { bench = benchOf(output); }
      if (!bench) { throw InputError("the root, with whose result it would be compared, did not run"); }
      if (isRoot) { result.points = static_cast<double>(output.elementCount()); }
      if (static_cast<double>(output.elementCount()) != result.points ||
          ready.launch.arrays[ready.input].elementCount() != output.elementCount()) {
        throw InputError(fmt::format("{}: its arrays have another size than the root's", variant.file->id));
      }
      const hardware::ProblemBench::Candidate candidate(*ready.kernel, ready.program, ready.launch, ready.input,
                                                        ready.output);
      if (isRoot) { bench->expectFrom(candidate, 1); }
      entry.tolerance = differenceAllowed(*variant.file, chosen.bindings, ready, entry.steps);
      const auto difference = bench->differenceOf(candidate, entry.tolerance);
      entry.largestDifference = difference.largest;
      entry.differing = difference.beyond;
      entry.verified = difference.beyond == 0;
      const auto timing = bench->time(candidate, {});
      entry.time = timing.time;
      entry.warmups = timing.warmups;
      entry.conditions = timing.conditions;
      entry.resources = ready.kernel->resources();
      entry.occupancy = hardware::occupancyOf(*ready.kernel, ready.launch.configuration);
      const double sums = result.points * static_cast<double>(entry.steps);
      entry.effectiveGBs = perNanosecond(2.0 * sizeInMemory(output.element) * sums, entry.time);
      entry.multiplyAdds =
          perNanosecond(sums * static_cast<double>(variant.file->taps(chosen.bindings).size()), entry.time);
      if (isRoot && plan.limit.steps > 1) { bench->expectFrom(candidate, plan.limit.steps); }
    });
  }
  if (!bench) { return result; }
  result.copy = bench->bestCopy();
  const double operations = plan.limit.precision == ValueType::F64 ? peaks_.fp64GFlops : peaks_.fp32GFlops;
  result.multiplyAdds = operations / 2;
  for (SuiteEntry& entry : result.entries) {
    if (result.copy.gbs > 0) { entry.fractionOfCopy = entry.effectiveGBs / result.copy.gbs; }
    if (result.multiplyAdds > 0) { entry.fractionOfMultiplyAdds = entry.multiplyAdds / result.multiplyAdds; }
  }
  return result;
}

}  // namespace haloscope::measuring
