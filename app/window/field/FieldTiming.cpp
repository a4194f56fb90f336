#include "field/FieldTiming.h"

#include <chrono>
#include <cstddef>
#include <memory>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "driver/Memory.h"
#include "driver/Spread.h"
#include "driver/SweepRunner.h"
#include "field/FieldEmulator.h"
#include "field/ResidualWatch.h"
#include "language/Text.h"
#include "program/SourceLocation.h"
#include "work/Pool.h"

namespace haloscope::field {

namespace {

/// The values of each array, by place.
using Values = std::vector<std::vector<std::byte>>;

void take(PlayedField& played, const gpu::Spread& time) {
  played.medianMs = time.medianMs;
  played.p10Ms = time.p10Ms;
  played.p90Ms = time.p90Ms;
  played.samples = time.samples;
}

Values sweepOnEmulator(const PreparedField& prepared, std::int64_t sweeps, PlayedField& played) {
  using Clock = std::chrono::steady_clock;
  work::Pool pool;
  FieldEmulator emulator(pool, prepared.experiment->program, prepared.launch, prepared.arrays, prepared.initial);
  std::vector<double> interpreted, compiled;
  for (std::int64_t i = 0; i < sweeps; ++i) {
    const Clock::time_point begin = Clock::now();
    emulator.begin(1);
    emulator.wait();
    const double ms = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
    static_cast<void>(emulator.finished());
    if (!emulator.problem().empty()) { throw InputError(emulator.problem()); }
    (emulator.byMachineCode() ? compiled : interpreted).push_back(ms);
  }
  const unsigned cores = std::thread::hardware_concurrency();
  // One spread is of one way to execute.
  if (compiled.empty()) {
    played.timed = trf("wall clock of each sweep on the emulator, {} cores", cores);
    take(played, gpu::spreadOf(std::move(interpreted)));
  } else {
    played.timed =
        trf("wall clock of each sweep as machine code, {} cores; sweeps before it was compiled, not counted: {}", cores,
            interpreted.size());
    take(played, gpu::spreadOf(std::move(compiled)));
  }
  Values all;
  for (std::size_t place = 0; place < prepared.arrays.objects.size(); ++place) {
    const auto values = emulator.values(place);
    all.emplace_back(values.begin(), values.end());
  }
  return all;
}

Values sweepOnGpu(PreparedField& prepared, const std::shared_ptr<const gpu::Device>& device, std::int64_t sweeps,
                  PlayedField& played) {
  std::vector<std::unique_ptr<gpu::DeviceMemory>> arrays;
  for (const auto& values : prepared.initial) {
    arrays.push_back(std::make_unique<gpu::DeviceMemory>(device, values->size()));
    arrays.back()->upload(*values);
  }
  gpu::SweepRunner& runner = *prepared.runner;
  const auto finish = [&] {
    runner.stream().synchronize();
    runner.poll();
  };
  for (std::int64_t i = 0; i < sweeps; ++i) {
    std::vector<gpu::DeviceAddress> addresses;
    for (const auto& array : arrays) { addresses.push_back(array->address()); }
    runner.sweep(addresses);
    if ((i + 1) % gpu::SweepRunner::kMostSweeps == 0) { finish(); }
    auto before = std::exchange(arrays, {});
    for (const std::size_t successor : prepared.arrays.successors) { arrays.push_back(std::move(before[successor])); }
  }
  finish();
  take(played, runner.spread());
  played.gpu = device->properties().name;
  played.timed = tr("the GPU's events around each sweep, of the last ones");
  Values all;
  for (const auto& array : arrays) {
    all.emplace_back(array->bytes());
    array->download(all.back());
  }
  return all;
}

}  // namespace

PlayedField playField(const FieldRequest& request, std::int64_t sweeps) {
  PreparedField prepared = prepareField(request);
  PlayedField played;
  const Values values = prepared.runner ? sweepOnGpu(prepared, request.device, sweeps, played)
                                        : sweepOnEmulator(prepared, sweeps, played);
  const render::FieldGrid& grid = prepared.grid;
  played.extents.assign(grid.extents.end() - grid.rank, grid.extents.end());
  played.note = !prepared.problem.empty() ? prepared.problem : prepared.arrays.noTimeStep;
  const auto& problem = prepared.experiment->file.problem;
  if (problem && problem->residual) {
    played.residual = residualOf(prepared, static_cast<std::uint64_t>(sweeps),
                                 [&](std::size_t place) { return std::span<const std::byte>(values[place]); });
  }
  return played;
}

}  // namespace haloscope::field
