#pragma once

#include <memory>
#include <string>

#include "driver/Kernel.h"
#include "driver/Spread.h"
#include "hardware/Sensors.h"

namespace haloscope::hardware {

struct BenchOptions {
  int warmups = 3;       ///< minimum launches before the first round
  double warmupMs = 60;  ///< ... and minimum duration: an idle GPU takes a while to raise its clock
  int rounds = 5;        ///< each: `launches` of the kernel, then of each copy, so that clock drift affects all alike
  int launches = 9;      ///< timed launches per round
  double bytes = 0;      ///< that the launch is taken to move; 0: all global arrays, each once
};

struct BenchResult {
  gpu::Spread kernel;
  int warmups = 0;          ///< launches before the timed ones
  Conditions conditions;    ///< while the kernel ran
  double bytes = 0;         ///< see BenchOptions
  double effectiveGBs = 0;  ///< bytes / median, in 10^9 bytes/s

  // The denominator, measured in the same run: a device-to-device copy of the same number of bytes (half read, half
  // written), but at least 256 MiB, to exceed the L2 cache.
  gpu::Spread copy;      ///< of the fastest of several
  std::string copyKind;  ///< one of CopyTest::kinds()
  double copyBytes = 0;  ///< read and written
  double copyGBs = 0;
  double fractionOfCopy = 0;  ///< effectiveGBs / copyGBs

  gpu::KernelResources resources;
  int residentBlocks = 0;  ///< blocks a multiprocessor holds at once
  double occupancy = 0;    ///< resident threads / maximum of a multiprocessor
};

/// Resident threads / maximum of a multiprocessor.
[[nodiscard]] double occupancyOf(const gpu::Kernel& kernel, const LaunchConfiguration& configuration);

/// Times `launch` on the GPU. Output goes to scratch memory; `launch` is not changed.
/// Throws Unavailable, NvrtcError, Error. Takes about a second at 512³.
BenchResult bench(const gpu::Clearance& clearance, const std::shared_ptr<const gpu::Device>& device,
                  const gpu::KernelText& text, const Program& program, const Launch& launch,
                  const BenchOptions& options = {});

}  // namespace haloscope::hardware
