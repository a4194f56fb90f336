#include "measuring/SuiteRun.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "driver/Device.h"
#include "experiment/EffectiveBytes.h"
#include "experiment/Experiment.h"
#include "experiment/InputData.h"
#include "experiment/Reference.h"
#include "hardware/ProblemBench.h"
#include "language/Text.h"
#include "measuring/GpuGate.h"
#include "measuring/GpuText.h"
#include "measuring/Tuning.h"
#include "program/SourceLocation.h"
#include "work/Pool.h"

namespace haloscope::measuring {

namespace {

/// Size at which the root is compared with the reference: no multiple of a vector or a tile.
constexpr std::int64_t kRootSize = 33;
constexpr std::size_t kRandomSamples = 4096;
constexpr double kMiB = 1U << 20U;

/// A variant that is ready to run.
struct ReadyVariant {
  Program program;
  Launch launch;
  ObjectId input = kNone, output = kNone;
  std::unique_ptr<gpu::Kernel> kernel;
};

/// Throws UserError, gpu::Unavailable and gpu::Error.
ReadyVariant readied(const KernelFile& file, const Bindings& bindings, GpuGate& gate,
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
    if (!experiment::fillIfWeights(file, program.objects[id].name, array)) { experiment::fillRandom(array, id); }
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

/// Runs `work`; what its failure says. `lost` is the same if the GPU is lost.
template <typename Work>
std::string problemOf(std::string& lost, const Work& work) {
  try {
    work();
    return {};
  } catch (const gpu::Error& error) {
    if (error.endsProcess()) { lost = error.what(); }
    return error.what();
  } catch (const gpu::Unavailable& error) { return error.what(); } catch (const UserError& error) {
    return error.what();
  }
}

}  // namespace

const SuiteEntry* SuiteClass::best() const {
  // What is compared with a wrong root is not verified.
  if (!rootIsRight()) { return nullptr; }
  const SuiteEntry* found = nullptr;
  for (const SuiteEntry& entry : entries) {
    if (!entry.verified || entry.time.samples == 0 || entry.steps != limit.steps) { continue; }
    if (found == nullptr || entry.fraction(limit.measure) > found->fraction(limit.measure)) { found = &entry; }
  }
  return found;
}

bool SuiteClass::rootIsRight() const {
  return std::ranges::none_of(rootChecks, &Verification::failed) && rootSampled && rootSampled->pass();
}

bool SuiteClass::right() const {
  return best() != nullptr &&
         std::ranges::all_of(entries, [](const SuiteEntry& entry) { return entry.verified || !entry.problem.empty(); });
}

SuiteRun::SuiteRun(std::shared_ptr<const gpu::Device> device, GpuGate& gate, work::Pool& pool, TunedTiles tiles)
    : device_(std::move(device)),
      gate_(gate),
      pool_(pool),
      tiles_(std::move(tiles)),
      peaks_(hardware::measurePeaks(device_)) {}

void SuiteRun::tune(const KernelFile& file, const Bindings& bindings, const SuiteOptions& options) {
  if (tuningAxes(file).empty()) { return; }
  TuningRequest request{
      .file = file, .bindings = tiles_.choose(file, bindings).bindings, .target = targetOf(device_, peaks_.copyGBs)};
  const TileSearch found = Tuner(pool_, gate_).search(request, options.tuneCandidates, options.stop);
  if (!found.competed) { tiles_.keep(file, found.best, found.milliseconds); }
}

std::unique_ptr<hardware::ProblemBench> SuiteRun::benchOf(const ArrayData& output) const {
  const double needed = hardware::ProblemBench::bytesNeeded(output.element, output.elementCount());
  const auto free = static_cast<double>(device_->freeBytes());
  if (needed > free) {
    constexpr double kGiB = 1U << 30U;
    throw InputError(
        trf("the class needs {:.1f} GiB of device memory, of which {:.1f} GiB are free", needed / kGiB, free / kGiB));
  }
  return std::make_unique<hardware::ProblemBench>(device_, output.element, output.elementCount());
}

void SuiteRun::measureRung(const PlannedVariant& variant, std::unique_ptr<hardware::ProblemBench>& bench,
                           SuiteEntry& entry, SuiteClass& result, const SuiteOptions& options) {
  const KernelFile& file = *variant.file;
  const Bindings& bindings = entry.variant.bindings;
  const bool isRoot = &entry == &result.entries.front();
  ReadyVariant ready = readied(file, bindings, gate_, device_);
  const ArrayData& output = ready.launch.arrays[ready.output];
  if (isRoot) {
    const double bytes = static_cast<double>(output.elementCount()) * sizeInMemory(output.element);
    if (const int l2 = device_->properties().l2Bytes; bytes <= l2 && !options.inCache) {
      result.problem = trf("its input of {:.1f} MiB fits into the L2 cache of {:.0f} MiB: give a larger size",
                           bytes / kMiB, l2 / kMiB);
      throw InputError(result.problem);
    }
    bench = benchOf(output);
    result.points = static_cast<double>(output.elementCount());
  }
  if (!bench) { throw InputError(tr("the root, with whose result it would be compared, did not run")); }
  if (static_cast<double>(output.elementCount()) != result.points ||
      ready.launch.arrays[ready.input].elementCount() != output.elementCount()) {
    throw InputError(trf("{}: its arrays have another size than the root's", file.id));
  }
  const hardware::ProblemBench::Candidate candidate(*ready.kernel, ready.program, ready.launch, ready.input,
                                                    ready.output);
  entry.tolerance = differenceAllowed(file, bindings, ready, entry.steps);
  if (isRoot) {
    bench->expectFrom(candidate, 1);
    const ArrayData weights = experiment::weightsOf(file, bindings, ready.program, ready.launch.arrays);
    const auto elements = sampledElements(output.extents, kRandomSamples);
    result.rootSampled = checkSamples(file, bindings, weights, output.extents, output.element, elements,
                                      bench->expectedAt(elements), hardware::DeviceFields::filledValue);
  }
  const auto difference = bench->differenceOf(candidate, entry.tolerance);
  entry.largestDifference = difference.largest;
  entry.differing = difference.beyond;
  entry.verified = difference.beyond == 0 && (!isRoot || result.rootIsRight());
  const auto timing = bench->time(candidate, {});
  entry.time = timing.time;
  entry.warmups = timing.warmups;
  entry.conditions = timing.conditions;
  entry.resources = ready.kernel->resources();
  entry.occupancy = hardware::occupancyOf(*ready.kernel, ready.launch.configuration);
  if (options.counters) {
    try {
      entry.counters = bench->counters(candidate);
    } catch (const gpu::Unavailable& missing) { entry.countersMissing = missing.what(); }
  }
  const double bytes = experiment::effectiveBytes(file, bindings, ready.program);
  if (isRoot) { result.sweepBytes = bytes; }
  entry.effectiveGBs = entry.time.perNanosecond(bytes);
  entry.multiplyAdds =
      entry.time.perNanosecond(result.pointsOf(entry) * static_cast<double>(file.taps(bindings).size()));
  if (isRoot && result.limit.steps > 1) { bench->expectFrom(candidate, result.limit.steps); }
}

SuiteClass SuiteRun::measure(const PlannedClass& plan, const SuiteOptions& options) {
  SuiteClass result{.limit = plan.limit, .leftOut = plan.leftOut, .problem = plan.problem};
  if (plan.variants.empty()) { return result; }
  const PlannedVariant& root = plan.variants.front();
  result.rootCheckedAt = root.bindings;
  for (const SizeParameter& size : root.file->sizes) {
    result.rootCheckedAt[size.name] = std::clamp(kRootSize, size.minimum, size.maximum);
  }
  result.problem =
      problemOf(result.lost, [&] { result.rootChecks = options.verify(*root.file, result.rootCheckedAt, gate_); });
  result.entries.reserve(plan.variants.size());

  std::unique_ptr<hardware::ProblemBench> bench;
  for (const PlannedVariant& variant : plan.variants) {
    if (options.stop.stop_requested() || !result.problem.empty() || !result.lost.empty()) { break; }
    SuiteEntry& entry = result.entries.emplace_back();
    entry.variant = variant;
    if (options.progress) { options.progress(entry); }
    entry.problem = problemOf(result.lost, [&] {
      // What is wrong with a variant is said when it is timed.
      if (options.tuneCandidates > 0) {
        static_cast<void>(problemOf(result.lost, [&] { tune(*variant.file, variant.bindings, options); }));
      }
      const TunedTiles::Chosen chosen = tiles_.choose(*variant.file, variant.bindings);
      entry.variant.bindings = chosen.bindings;
      entry.tile = chosen.source;
      entry.steps = variant.file->steps(chosen.bindings);
      measureRung(variant, bench, entry, result, options);
    });
  }
  result.complete = !options.stop.stop_requested() && result.lost.empty();
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
