#include "hardware/Counters.h"

#include <array>
#include <span>

#include "gpu/LaunchArrays.h"
#include "hardware/CacheEviction.h"
#include "hardware/CounterSession.h"

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
  const CacheEviction eviction(device);
  const gpu::Stream stream(device);
  const auto sweep = [&] {
    kernel.launch(launch.configuration, arrays.arguments(), stream);
    stream.synchronize();
  };
  const auto evict = [&] { eviction.run(stream); };
  const auto restore = [&] { arrays.restore(kernel, program, launch); };

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
  CounterSession session(device, namesOf(kCountedAtInstructions), cupti);
  add(counters, kCountedAtInstructions, session.measure({{"launch", sweep}}, restore).front());
  counters.passes += session.passes();
  return counters;
}

}  // namespace haloscope::hardware
