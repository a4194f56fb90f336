#include "measuring/HardwareMeasurement.h"

#include <algorithm>
#include <cmath>

#include "checking/ShippedVariants.h"
#include "experiment/Experiment.h"
#include "hardware/Bench.h"
#include "measuring/GpuGate.h"
#include "measuring/GpuText.h"

namespace haloscope::measuring {

namespace {

constexpr double kTimesTheCache = 4;
constexpr double kArrays = 2;        // an input and an output
constexpr double kElementBytes = 4;  // of a larger one there is more than enough
constexpr std::int64_t kRound = 32;  // a size that is familiar, rather than the smallest

}  // namespace

Bindings fillingSizes(const KernelFile& file, const Bindings& bindings, std::uint64_t l2Bytes) {
  if (!checking::isShippedVariant(file) || file.arrays.empty()) { return bindings; }
  std::size_t rank = 1;
  for (const ArrayDeclaration& array : file.arrays) { rank = std::max(rank, array.shape.size()); }
  const double points = kTimesTheCache * static_cast<double>(l2Bytes) / (kArrays * kElementBytes);
  const auto edge = static_cast<std::int64_t>(std::ceil(std::pow(points, 1.0 / static_cast<double>(rank))));
  const std::int64_t wanted = (edge + kRound - 1) / kRound * kRound;
  Bindings larger = bindings;
  for (const SizeParameter& size : file.sizes) {
    std::int64_t& value = larger[size.name];
    value = std::max(value, std::min(wanted, size.maximum));
  }
  return larger;
}

HardwareReading emulatorsHalf(const experiment::Experiment& executed) {
  HardwareReading reading;
  reading.id = executed.file.id;
  reading.title = executed.file.title;
  reading.text = executed.file.text;
  reading.bindings = executed.bindings;
  reading.bookOpPerByte = executed.opPerByte.formula;
  reading.flops = executed.counts.flops;
  reading.loadBytes = executed.counts.globalLoadBytes;
  reading.storeBytes = executed.counts.globalStoreBytes;
  const analysis::MemoryRequests& requests = executed.requests;
  for (std::size_t i = 0; i < requests.instructions.size(); ++i) {
    const Opcode op = executed.program->code[i].op;
    const analysis::RequestTotals& totals = requests.instructions[i];
    if (op == Opcode::Load) { reading.loadSectors += totals.sectors; }
    if (op == Opcode::Store) { reading.storeSectors += totals.sectors; }
    // What an asynchronous copy writes to shared memory is not in the hardware's count.
    if (op == Opcode::Load || (op == Opcode::Store && !executed.program->code[i].async)) {
      reading.bankConflicts += totals.sharedPasses - totals.sharedRequests;
    }
  }
  return reading;
}

HardwareReading measureHardware(const std::shared_ptr<const gpu::Device>& device, GpuGate& gate,
                                const HardwareRequest& request, const std::stop_token& stop) {
  const KernelFile& file = request.file;
  const gpu::DeviceProperties& properties = device->properties();
  const Bindings bindings = request.enlarge
                                ? fillingSizes(file, request.bindings, static_cast<std::uint64_t>(properties.l2Bytes))
                                : request.bindings;
  const gpu::Clearance clearance = gate.require(file, bindings, {.stop = stop});
  experiment::RunOptions options;
  options.record = false;
  options.input = experiment::InputKind::Random;
  options.stop = stop;
  const auto executed = experiment::run(file, {file.id, bindings, std::nullopt}, options);
  experiment::throwIfFaulty(file, executed->fault);
  HardwareReading reading = emulatorsHalf(*executed);
  reading.gpu = properties.name;

  const gpu::KernelText text = gpuText(file, bindings);
  const Program& program = *executed->program;
  // The experiment's own is as the emulator left it.
  const Launch launch = experiment::makeLaunch(file, bindings, program, options.input);
  reading.counters = hardware::measureCounters(clearance, device, text, program, launch);
  if (stop.stop_requested()) { throw experiment::Cancelled{}; }
  const hardware::BenchResult bench =
      hardware::bench(clearance, device, text, program, launch, {.warmups = 2, .rounds = 3, .launches = 5});
  reading.milliseconds = bench.kernel.medianMs;
  reading.copyGBs = bench.copyGBs;
  reading.theoreticalOccupancy = bench.occupancy;
  return reading;
}

}  // namespace haloscope::measuring
