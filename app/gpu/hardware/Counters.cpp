#include "hardware/Counters.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "driver/Kernel.h"
#include "driver/LaunchArrays.h"
#include "driver/Memory.h"
#include "driver/OwnText.h"
#include "language/Text.h"

namespace haloscope::hardware {

namespace {

/// More passes than any set of metrics needs; stops a session that would not end.
constexpr int kMostPasses = 256;

/// Evicts the contents of the L2 cache by reading an array of four times its size. Dirty lines are written to DRAM;
/// afterwards the cache holds only clean lines.
class CacheEviction {
 public:
  /// Throws Unavailable, Error.
  explicit CacheEviction(const std::shared_ptr<const gpu::Device>& device);

  /// Waits.
  void run(const gpu::Stream& stream) const;

 private:
  gpu::DeviceMemory memory_;
  gpu::DeviceMemory never_;  ///< target of the kernel's sum, never written
  std::unique_ptr<gpu::Kernel> kernel_;
};

constexpr std::uint32_t kReadingThreads = 256;
constexpr std::size_t kVector = 16;                          // bytes of an int4
constexpr std::size_t kLeastBytes = std::size_t{16} << 20U;  // if the driver does not report the cache size

// The store, never taken, keeps the compiler from dropping the loads: the array holds zeros.
constexpr const char* kReadAllText = R"(
__global__ void readAll(const int4* from, int* never, unsigned long long count) {
  unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
  if (i >= count) { return; }
  const int4 value = from[i];
  if (value.x + value.y + value.z + value.w != 0) { *never = value.x; }
}
)";

std::size_t arrayBytes(const gpu::Device& device) {
  return std::max(kLeastBytes, 4 * static_cast<std::size_t>(device.properties().l2Bytes)) / kVector * kVector;
}

CacheEviction::CacheEviction(const std::shared_ptr<const gpu::Device>& device)
    : memory_(device, arrayBytes(*device)),
      never_(device, kVector),
      kernel_(gpu::OwnText(kReadAllText).compile(device, "read_all.cu", "readAll")) {
  const gpu::Stream stream(device);
  gpu::clearAsync(stream, memory_.address(), memory_.bytes());
  stream.synchronize();
}

void CacheEviction::run(const gpu::Stream& stream) const {
  const std::uint64_t count = memory_.bytes() / kVector;
  LaunchConfiguration configuration;
  configuration.grid.x = static_cast<std::uint32_t>((count + kReadingThreads - 1) / kReadingThreads);
  configuration.block.x = kReadingThreads;
  kernel_->launch(configuration, std::array<std::uint64_t, 3>{memory_.address(), never_.address(), count}, stream);
  stream.synchronize();
}

struct Metric {
  const char* name;
  double Counters::* value;
  double unit = 1;
};

using Metrics = std::span<const Metric>;

constexpr std::array kCounted = {
    Metric{"dram__bytes_read.sum", &Counters::dramReadBytes},
    Metric{"dram__bytes_write.sum", &Counters::dramWrittenBytes},
    Metric{"lts__t_sectors_srcunit_tex_op_read.sum", &Counters::l2ReadSectors},
    Metric{"lts__t_sectors_srcunit_tex_op_write.sum", &Counters::l2WriteSectors},
    Metric{"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", &Counters::l1LoadSectors},
    Metric{"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", &Counters::l1StoreSectors},
    Metric{"l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum", &Counters::bankCycles},
    Metric{"sm__warps_active.avg.pct_of_peak_sustained_active", &Counters::occupancy, 0.01},
};
// Counted at the instructions, not in L1, where cycles also include waiting for other traffic.
constexpr std::array kCountedAtInstructions = {
    Metric{"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", &Counters::sharedPasses},
    Metric{"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum", &Counters::sharedPasses},
    Metric{"smsp__sass_inst_executed_op_shared_ld.sum", &Counters::sharedRequests},
    Metric{"smsp__sass_inst_executed_op_shared_st.sum", &Counters::sharedRequests},
};

// Each is what Nsight Compute calls the warp state of this name.
struct StallMetric {
  const char* name;
  const char* reason;
};
constexpr std::array kStalls = {
    StallMetric{"long_scoreboard", trMark("data from global memory")},
    StallMetric{"lg_throttle", trMark("room in the queue for global memory")},
    StallMetric{"short_scoreboard", trMark("data from shared memory or a shuffle")},
    StallMetric{"mio_throttle", trMark("room in the queue for shared memory and shuffles")},
    StallMetric{"barrier", trMark("other warps at a barrier")},
    StallMetric{"membar", trMark("a memory fence")},
    StallMetric{"wait", trMark("the fixed latency of the instruction before")},
    StallMetric{"math_pipe_throttle", trMark("a free arithmetic unit")},
    StallMetric{"not_selected", trMark("its turn: another warp was chosen")},
    StallMetric{"dispatch_stall", trMark("the dispatcher")},
    StallMetric{"no_instruction", trMark("its next instruction")},
    StallMetric{"branch_resolving", trMark("the target of a branch")},
    StallMetric{"imc_miss", trMark("a constant that is not in the cache")},
    StallMetric{"tex_throttle", trMark("room in the queue for textures")},
    StallMetric{"drain", trMark("its stores, before it ends")},
    StallMetric{"sleeping", trMark("its own sleep")},
    StallMetric{"misc", trMark("another reason")},
};

/// Or why there are none.
void addStalls(Counters& counters, const std::shared_ptr<const gpu::Device>& device, const std::string& cupti,
               const std::function<void()>& sweep, const std::function<void()>& restore) {
  std::vector<std::string> names;
  for (const StallMetric& stall : kStalls) {
    names.push_back(std::string("smsp__average_warps_issue_stalled_") + stall.name + "_per_issue_active.ratio");
  }
  try {
    CounterSession session(device, names, cupti);
    const std::vector<double> cycles = session.measure({{"launch", sweep}}, restore).front();
    counters.passes += session.passes();
    for (std::size_t i = 0; i < kStalls.size(); ++i) {
      if (cycles[i] > 0) { counters.stalls.push_back({kStalls.at(i).reason, kStalls.at(i).name, cycles[i]}); }
    }
    std::ranges::stable_sort(counters.stalls, std::ranges::greater(), &Stall::cycles);
  } catch (const gpu::Unavailable& missing) { counters.stallsMissing = missing.what(); }
}

std::vector<std::string> namesOf(Metrics metrics) {
  std::vector<std::string> names;
  for (const Metric& metric : metrics) { names.emplace_back(metric.name); }
  return names;
}

void add(Counters& counters, Metrics metrics, const std::vector<double>& values) {
  for (std::size_t i = 0; i < metrics.size(); ++i) { counters.*metrics[i].value += values[i] * metrics[i].unit; }
}

}  // namespace

CounterSession::CounterSession(std::shared_ptr<const gpu::Device> device, std::vector<std::string> metrics,
                               const std::string& library)
    : device_(std::move(device)), cupti_(device_->properties().driverVersion, library), metrics_(std::move(metrics)) {
  for (const std::string& metric : metrics_) { names_.push_back(metric.c_str()); }
  device_->makeCurrent();
  Cupti::Initialize initialize;
  cupti_.check(cupti_.initialize(&initialize), "cuptiProfilerInitialize");
  makeHost();
  try {
    makeConfig();
    Cupti::Enable enable{.context = device_->context()};
    cupti_.check(cupti_.enable(&enable), "cuptiRangeProfilerEnable");
    range_ = enable.range;
  } catch (...) {  // the destructor does not run for a constructor that throws
    Cupti::HostDeinitialize end{.host = host_};
    (void)cupti_.hostDeinitialize(&end);
    throw;
  }
}

CounterSession::~CounterSession() {
  (void)device_->tryMakeCurrent();
  Cupti::Plain disable{.range = range_};
  (void)cupti_.disable(&disable);
  Cupti::HostDeinitialize end{.host = host_};
  (void)cupti_.hostDeinitialize(&end);
}

void CounterSession::makeHost() {
  Cupti::ChipName chip{.device = static_cast<std::size_t>(device_->handle())};
  cupti_.check(cupti_.deviceGetChipName(&chip), "cuptiDeviceGetChipName");
  // The counters available on this GPU. This call fails if the user may not read them.
  Cupti::Availability available{.context = device_->context()};
  cupti_.check(cupti_.getCounterAvailability(&available), "cuptiProfilerGetCounterAvailability");
  availability_.resize(available.bytes);
  available.image = availability_.data();
  cupti_.check(cupti_.getCounterAvailability(&available), "cuptiProfilerGetCounterAvailability");
  Cupti::HostInitialize host{.chip = chip.name, .availability = availability_.data()};
  cupti_.check(cupti_.hostInitialize(&host), "cuptiProfilerHostInitialize");
  host_ = host.host;
}

void CounterSession::makeConfig() {
  Cupti::HostAddMetrics add{.host = host_, .names = names_.data(), .count = names_.size()};
  cupti_.check(cupti_.hostAddMetrics(&add), "cuptiProfilerHostConfigAddMetrics");
  Cupti::HostConfigSize size{.host = host_};
  cupti_.check(cupti_.hostGetConfigSize(&size), "cuptiProfilerHostGetConfigImageSize");
  config_.resize(size.bytes);
  Cupti::HostConfig config{.host = host_, .bytes = config_.size(), .image = config_.data()};
  cupti_.check(cupti_.hostGetConfig(&config), "cuptiProfilerHostGetConfigImage");
}

std::vector<std::vector<double>> CounterSession::measure(const std::vector<Work>& work,
                                                         const std::function<void()>& prepare) {
  device_->makeCurrent();
  Cupti::DataSize size{.range = range_,
                       .names = names_.data(),
                       .count = names_.size(),
                       .ranges = work.size(),
                       .nodes = static_cast<std::uint32_t>(work.size())};
  cupti_.check(cupti_.getDataSize(&size), "cuptiRangeProfilerGetCounterDataSize");
  data_.assign(size.bytes, 0);
  Cupti::DataInitialize initialize{.range = range_, .bytes = data_.size(), .data = data_.data()};
  cupti_.check(cupti_.initializeData(&initialize), "cuptiRangeProfilerCounterDataImageInitialize");
  Cupti::SetConfig config{.range = range_,
                          .configBytes = config_.size(),
                          .config = config_.data(),
                          .dataBytes = data_.size(),
                          .data = data_.data(),
                          .ranges = work.size()};
  cupti_.check(cupti_.setConfig(&config), "cuptiRangeProfilerSetConfig");

  Cupti::Plain plain{.range = range_};
  for (passes_ = 0;;) {
    prepare();
    cupti_.check(cupti_.start(&plain), "cuptiRangeProfilerStart");
    for (const Work& one : work) {
      Cupti::PushRange push{.range = range_, .name = one.name.c_str()};
      cupti_.check(cupti_.pushRange(&push), "cuptiRangeProfilerPushRange");
      one.run();
      cupti_.check(cupti_.popRange(&plain), "cuptiRangeProfilerPopRange");
    }
    Cupti::Stop stop{.range = range_};
    cupti_.check(cupti_.stop(&stop), "cuptiRangeProfilerStop");
    ++passes_;
    if (stop.allPassesSubmitted != 0) { break; }
    if (passes_ == kMostPasses) {
      throw gpu::Unavailable(trf("reading the hardware counters did not finish: stopped after {} passes", passes_));
    }
  }
  Cupti::Decode decode{.range = range_};
  cupti_.check(cupti_.decode(&decode), "cuptiRangeProfilerDecodeData");
  if (decode.dropped > 0) {
    throw gpu::Unavailable(trf("the hardware counters of {} ranges were lost", decode.dropped));
  }
  std::vector<std::vector<double>> values;
  for (const Work& one : work) { values.push_back(valuesOf(one.name, work.size())); }
  return values;
}

std::vector<double> CounterSession::valuesOf(const std::string& range, std::size_t ranges) {
  for (std::size_t i = 0; i < ranges; ++i) {
    Cupti::RangeInfo info{.data = data_.data(), .bytes = data_.size(), .index = i, .delimiter = "/"};
    cupti_.check(cupti_.getRangeInfo(&info), "cuptiRangeProfilerCounterDataGetRangeInfo");
    if (info.name == nullptr || range != info.name) { continue; }
    std::vector<double> values(names_.size());
    Cupti::HostEvaluate evaluate{.host = host_,
                                 .data = data_.data(),
                                 .bytes = data_.size(),
                                 .range = i,
                                 .names = names_.data(),
                                 .count = names_.size(),
                                 .values = values.data()};
    cupti_.check(cupti_.hostEvaluate(&evaluate), "cuptiProfilerHostEvaluateToGpuValues");
    for (std::size_t metric = 0; metric < values.size(); ++metric) {
      if (!std::isfinite(values[metric])) {
        throw gpu::Unavailable(trf("this GPU counted nothing for {}", metrics_[metric]));
      }
    }
    return values;
  }
  throw gpu::Unavailable(trf("the hardware counters of \"{}\" were lost", range));
}

Counters measureCounters(const gpu::Clearance& clearance, const std::shared_ptr<const gpu::Device>& device,
                         const gpu::KernelText& text, const Program& program, const Launch& launch,
                         const std::string& cupti) {
  device->makeCurrent();
  gpu::Kernel kernel(clearance, device, text, program);
  gpu::LaunchArrays arrays(kernel, program, launch);
  const gpu::Stream stream(device);
  const auto sweep = [&] {
    kernel.launch(launch.configuration, arrays.arguments(), stream);
    stream.synchronize();
  };
  return countersOf(device, sweep, [&] { arrays.restore(kernel, program, launch); }, cupti);
}

Counters countersOf(const std::shared_ptr<const gpu::Device>& device, const std::function<void()>& sweep,
                    const std::function<void()>& restore, const std::string& cupti) {
  device->makeCurrent();
  const CacheEviction eviction(device);
  const gpu::Stream stream(device);
  const auto evict = [&] { eviction.run(stream); };
  Counters counters;
  {
    CounterSession session(device, namesOf(kCounted), cupti);
    // Starting to count writes to memory too, so the cache is cleaned after that. The launch's last writes are still in
    // L2 when it ends; reading other data evicts them to DRAM without writing anything itself.
    const auto values = session.measure({{"clean", evict}, {"launch", sweep}, {"drain", evict}}, restore);
    Counters drained;
    add(counters, kCounted, values[1]);
    add(drained, kCounted, values[2]);
    counters.dramWrittenBytes += drained.dramWrittenBytes;
    counters.passes = session.passes();
  }
  {
    CounterSession session(device, namesOf(kCountedAtInstructions), cupti);
    add(counters, kCountedAtInstructions, session.measure({{"launch", sweep}}, restore).front());
    counters.passes += session.passes();
  }
  // Names of reasons differ between GPUs: without one of them the rest stands.
  addStalls(counters, device, cupti, sweep, restore);
  return counters;
}

double Counters::stallCycles() const {
  return std::accumulate(stalls.begin(), stalls.end(), 0.0,
                         [](double sum, const Stall& stall) { return sum + stall.cycles; });
}

}  // namespace haloscope::hardware
