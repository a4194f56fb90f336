#include "field/FieldEmulator.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <optional>
#include <utility>

#include "machine/Execution.h"

namespace haloscope::field {

FieldEmulator::FieldEmulator(work::Pool& pool, std::shared_ptr<const Program> program, Launch launch,
                             FieldArrays arrays, const FieldValues& values)
    : program_(std::move(program)),
      launch_(std::move(launch)),
      arrays_(std::move(arrays)),
      sweep_(pool, {work::Priority::Foreground, work::Cores::All},
             [this](int sweeps, const std::stop_token& stop) { return sweep(sweeps, stop); }) {
  for (std::size_t place = 0; place < values.size(); ++place) {
    launch_.arrays[arrays_.objects[place]].bytes = *values[place];
  }
  for (const std::size_t place : arrays_.successors) { successors_.push_back(arrays_.objects[place]); }
  const auto parameter = std::ranges::find(program_->parameters, arrays_.alternating, &Parameter::name);
  if (!arrays_.alternating.empty() && parameter != program_->parameters.end()) {
    alternating_ = static_cast<std::size_t>(parameter - program_->parameters.begin());
  }
}

FieldEmulator::Swept FieldEmulator::sweep(int sweeps, const std::stop_token& stop) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  bool machineCode = false;
  simt::ExecuteOptions options;
  options.stop = stop;
  try {
    // Where an argument alternates, each sweep is a launch of another shape.
    const bool oneByOne = alternating_ != kNone;
    const machine::Series series{.sweeps = oneByOne ? 1U : static_cast<std::uint32_t>(sweeps),
                                 .objects = arrays_.objects,
                                 .successors = successors_};
    for (int i = 0; i < (oneByOne ? sweeps : 1); ++i) {
      const machine::Result result = machine::execute(*program_, launch_, options, series);
      if (result.outcome != simt::Outcome::Finished) { return {.problem = result.message}; }
      machineCode = result.machineCode;
      if (oneByOne) { launch_.arguments[alternating_] = 1 - launch_.arguments[alternating_]; }
    }
  } catch (const std::exception& problem) { return {.problem = problem.what()}; }
  return {.sweepMs = std::chrono::duration<double, std::milli>(Clock::now() - begin).count() / sweeps,
          .machineCode = machineCode};
}

void FieldEmulator::begin(int sweeps) { sweep_.request(sweeps); }

int FieldEmulator::most(double milliseconds) const {
  constexpr double kMost = 64;
  return sweepMs_ > 0 ? static_cast<int>(std::clamp(milliseconds / sweepMs_, 1.0, kMost)) : 1;
}

bool FieldEmulator::finished() {
  auto swept = sweep_.running() ? std::nullopt : sweep_.poll();
  if (!swept) { return false; }
  problem_ = std::move(swept->problem);
  if (problem_.empty()) {
    sweepMs_ = swept->sweepMs;
    machineCode_ = swept->machineCode;
  }
  return true;
}

bool FieldEmulator::write(std::size_t place, std::size_t offset, std::span<const std::byte> bytes) {
  std::vector<std::byte>& array = launch_.arrays[arrays_.objects[place]].bytes;
  std::ranges::copy(bytes, array.begin() + static_cast<std::ptrdiff_t>(offset));
  return true;
}

}  // namespace haloscope::field
