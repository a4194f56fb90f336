#include "hardware/Counters.h"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <span>

#include "driver/LaunchArrays.h"
#include "hardware/CacheEviction.h"
#include "hardware/CounterSession.h"
#include "language/Text.h"

namespace haloscope::hardware {

namespace {

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
