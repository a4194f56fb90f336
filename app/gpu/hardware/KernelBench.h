#pragma once

#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "driver/Kernel.h"
#include "driver/Memory.h"
#include "driver/Spread.h"
#include "hardware/DeviceFields.h"
#include "hardware/LaunchTimer.h"
#include "hardware/Sensors.h"

namespace haloscope::hardware {

/// Times kernels one after another on the same arrays: device memory is allocated and filled once, and reused while it
/// is large enough. Little work is queued at a time, so that a window can draw meanwhile.
class KernelBench {
 public:
  explicit KernelBench(std::shared_ptr<const gpu::Device> device);

  struct Options {
    int launches = 15;     ///< maximum timed launches ...
    double budgetMs = 45;  ///< ... or as many as fit into this time, but at least three
    std::stop_token stop{};
  };
  struct Result {
    gpu::Spread time;  ///< without samples if it was asked to stop
    std::vector<SensorReading> readings;
  };
  /// Times `launch`. The values of its global arrays are ignored and may be missing: floating-point arrays get numbers
  /// in
  /// [-1, 1), others zeros. Two warm-up launches precede the timed ones. Waits. Throws Error.
  Result time(gpu::Kernel& kernel, const Program& program, const Launch& launch, const Options& options);

 private:
  /// The array of this name, with at least this many bytes.
  gpu::DeviceAddress array(const std::string& name, ValueType element, std::size_t bytes);

  std::shared_ptr<const gpu::Device> device_;
  Sensors sensors_;
  std::map<std::string, std::unique_ptr<gpu::DeviceMemory>> arrays_;
  DeviceFields fields_;
  bool warm_ = false;
  LaunchTimer timer_;  ///< last: its destructor waits for work that uses the arrays
};

}  // namespace haloscope::hardware
