#include "hardware/Sensors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

#include "driver/SharedLibrary.h"
#include "language/Text.h"

namespace haloscope::hardware {

namespace {

constexpr int kSuccess = 0;
constexpr int kSmClock = 1;
constexpr unsigned kMostProcesses = 64;

/// NVML's reasons for a lowered clock that disturb a measurement. Omitted: an idle GPU, and a clock fixed by its owner.
struct Slowdown {
  std::uint64_t bit;
  const char* words;
};
constexpr std::array kSlowdowns = {
    Slowdown{0x04, trMark("the power limit lowers the clock")},
    Slowdown{0x08, trMark("the hardware lowers the clock")},
    Slowdown{0x10, trMark("the clock follows another GPU's")},
    Slowdown{0x20, trMark("the GPU is hot and lowers its clock")},
    Slowdown{0x40, trMark("the GPU is too hot and lowers its clock")},
    Slowdown{0x80, trMark("the power supply lowers the clock")},
};

// A larger change of the clock disturbs a measurement.
constexpr double kSteadyClock = 0.9;

/// Layout as in nvml.h for nvmlDeviceGetComputeRunningProcesses_v3.
struct ProcessInfo {
  unsigned pid;
  unsigned long long usedMemory;
  unsigned gpuInstance, computeInstance;
};

/// Layout of nvmlProcessUtilizationSample_t in nvml.h.
struct ProcessSample {
  unsigned pid;
  unsigned long long microseconds;
  unsigned sm, memory, encoder, decoder;  // per cent
};

}  // namespace

struct Sensors::Library {
  explicit Library(const std::string& file) : library(file) {
    const bool complete = library.load(init, "nvmlInit_v2") && library.load(shutdown, "nvmlShutdown") &&
                          library.load(getHandle, "nvmlDeviceGetHandleByPciBusId_v2");
    opened = complete && init() == kSuccess;
    // Each of these may be missing or unsupported; its reading is then left out.
    library.load(getDriverVersion, "nvmlSystemGetDriverVersion");
    library.load(getClock, "nvmlDeviceGetClockInfo");
    library.load(getPower, "nvmlDeviceGetPowerUsage");
    library.load(getSlowdowns, "nvmlDeviceGetCurrentClocksThrottleReasons");
    library.load(getProcesses, "nvmlDeviceGetComputeRunningProcesses_v3");
    library.load(getUtilization, "nvmlDeviceGetProcessUtilization");
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  ~Library() {
    if (opened) { shutdown(); }
  }

  gpu::SharedLibrary library;
  bool opened = false;
  int (*init)() = nullptr;
  int (*shutdown)() = nullptr;
  int (*getHandle)(const char*, void**) = nullptr;
  int (*getDriverVersion)(char*, unsigned) = nullptr;
  int (*getClock)(void*, int, unsigned*) = nullptr;
  int (*getPower)(void*, unsigned*) = nullptr;
  int (*getSlowdowns)(void*, unsigned long long*) = nullptr;
  int (*getProcesses)(void*, unsigned*, ProcessInfo*) = nullptr;
  int (*getUtilization)(void*, ProcessSample*, unsigned*, unsigned long long) = nullptr;
};

Conditions conditionsOf(const std::vector<SensorReading>& readings) {
  Conditions conditions;
  std::vector<int> clocks;
  std::vector<double> watts;
  std::uint64_t slowdowns = 0;
  std::vector<unsigned> competitors;
  for (const SensorReading& reading : readings) {
    if (reading.smClockMHz > 0) { clocks.push_back(reading.smClockMHz); }
    if (reading.powerWatts > 0) { watts.push_back(reading.powerWatts); }
    slowdowns |= reading.slowdowns;
    for (const unsigned pid : reading.competitors) {
      if (std::ranges::find(competitors, pid) == competitors.end()) { competitors.push_back(pid); }
    }
  }
  conditions.readings = static_cast<int>(std::max(clocks.size(), watts.size()));
  std::vector<std::string> disturbances;
  if (!clocks.empty()) {
    std::ranges::sort(clocks);
    conditions.lowestClockMHz = clocks.front();
    conditions.medianClockMHz = clocks[clocks.size() / 2];
    conditions.highestClockMHz = clocks.back();
  }
  if (!watts.empty()) {
    conditions.powerWatts = std::accumulate(watts.begin(), watts.end(), 0.0) / static_cast<double>(watts.size());
  }
  for (const Slowdown& slowdown : kSlowdowns) {
    if ((slowdowns & slowdown.bit) != 0) { disturbances.emplace_back(tr(slowdown.words)); }
  }
  if (conditions.lowestClockMHz < kSteadyClock * conditions.highestClockMHz) {
    disturbances.push_back(
        trf("the clock went from {} to {} MHz", conditions.lowestClockMHz, conditions.highestClockMHz));
  }
  conditions.competed = !competitors.empty();
  if (conditions.competed) {
    const bool one = competitors.size() == 1;
    disturbances.push_back(trf("{} {} {} on this GPU too", one ? tr("process") : tr("processes"),
                               fmt::join(competitors, tr(" and ")), one ? tr("computes") : tr("compute")));
  }
  conditions.disturbance = fmt::format("{}", fmt::join(disturbances, "; "));
  return conditions;
}

Sensors::Sensors(const gpu::Device& device, const std::string& library) {
  const std::string file = library.empty() ? "libnvidia-ml.so.1" : library;
  const std::string& bus = device.properties().pciBus;
  library_ = std::make_unique<Library>(file);
  if (!library_->opened) {
    missing_ = trf("clock and power are not known: {} cannot be used", file);
  } else if (bus.empty() || library_->getHandle(bus.c_str(), &handle_) != kSuccess) {
    handle_ = nullptr;
    missing_ = tr("clock and power are not known: NVML does not know this GPU");
  }
}

Sensors::~Sensors() = default;

std::string Sensors::driverVersion() const {
  std::array<char, 96> text{};
  if (!library_->opened || library_->getDriverVersion == nullptr ||
      library_->getDriverVersion(text.data(), static_cast<unsigned>(text.size()) - 1) != kSuccess) {
    return {};
  }
  return text.data();
}

SensorReading Sensors::read() const {
  SensorReading reading;
  if (handle_ == nullptr) { return reading; }
  const Library& nvml = *library_;
  unsigned value = 0;
  if (nvml.getClock != nullptr && nvml.getClock(handle_, kSmClock, &value) == kSuccess) {
    reading.smClockMHz = static_cast<int>(value);
  }
  if (nvml.getPower != nullptr && nvml.getPower(handle_, &value) == kSuccess) { reading.powerWatts = value / 1e3; }
  unsigned long long reasons = 0;
  if (nvml.getSlowdowns != nullptr && nvml.getSlowdowns(handle_, &reasons) == kSuccess) { reading.slowdowns = reasons; }
  reading.competitors = competitors();
  return reading;
}

std::vector<unsigned> Sensors::competitors() const {
  const Library& nvml = *library_;
  std::array<ProcessInfo, kMostProcesses> processes{};
  unsigned count = kMostProcesses;
  if (nvml.getProcesses == nullptr || nvml.getProcesses(handle_, &count, processes.data()) != kSuccess) { return {}; }
  std::vector<unsigned> pids;
  for (unsigned i = 0; i < std::min(count, kMostProcesses); ++i) { pids.push_back(processes.at(i).pid); }
  if (pids.empty()) { return {}; }

  // A process that only holds memory, such as an idle notebook, does not disturb if utilisation per process is known.
  std::map<unsigned, unsigned> busy;
  std::array<ProcessSample, kMostProcesses> samples{};
  count = kMostProcesses;
  const bool known =
      nvml.getUtilization != nullptr && nvml.getUtilization(handle_, samples.data(), &count, 0) == kSuccess;
  for (unsigned i = 0; known && i < std::min(count, kMostProcesses); ++i) {
    busy[samples.at(i).pid] = std::max(busy[samples.at(i).pid], samples.at(i).sm);
  }
  const auto self = std::ranges::find(pids, static_cast<unsigned>(getpid()));
  // In a container this process has a different id on the host: assume that it is the busiest one.
  pids.erase(self != pids.end() ? self : std::ranges::max_element(pids, {}, [&](unsigned pid) {
    const auto found = busy.find(pid);
    return found == busy.end() ? 0U : found->second;
  }));
  if (known) {
    std::erase_if(pids, [&](unsigned pid) {
      const auto found = busy.find(pid);
      return found == busy.end() || found->second == 0;
    });
  }
  return pids;
}

}  // namespace haloscope::hardware
