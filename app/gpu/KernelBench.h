#pragma once

#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "gpu/Kernel.h"
#include "gpu/LaunchTimer.h"
#include "gpu/Memory.h"
#include "gpu/Sensors.h"
#include "gpu/Spread.h"

namespace haloscope::gpu {

/// Times one kernel after the other on the same arrays: device memory is allocated and filled once, and kept as long as
/// it is large enough. A window may draw meanwhile: little is queued at a time.
class KernelBench {
 public:
  explicit KernelBench(std::shared_ptr<const Device> device);

  struct Options {
    int launches = 15;     ///< timed at most ...
    double budgetMs = 45;  ///< ... or as many as fit into so long, but no fewer than three
    std::stop_token stop{};
  };
  struct Result {
    Spread time;       ///< without samples when it was asked to stop
    double bytes = 0;  ///< of every global array, once: the least traffic of one launch
    std::vector<SensorReading> readings;
  };
  /// Times `launch`, whose global arrays may lack their bytes (their values are not looked at): floating-point arrays
  /// hold numbers in [-1, 1), others zeros. Two launches go before those that are timed. Waits. Throws Error.
  Result time(Kernel& kernel, const Program& program, const Launch& launch, const Options& options);

 private:
  /// The array of this name, of so many bytes at least.
  DeviceAddress array(const std::string& name, ValueType element, std::size_t bytes);
  void fill(const DeviceMemory& memory, ValueType element);

  std::shared_ptr<const Device> device_;
  Sensors sensors_;
  std::map<std::string, std::unique_ptr<DeviceMemory>> arrays_;
  std::map<ValueType, std::unique_ptr<Kernel>> fills_;
  bool warm_ = false;
  LaunchTimer timer_;  ///< last: its end waits for what uses the arrays
};

}  // namespace haloscope::gpu
