#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "gpu/Kernel.h"
#include "gpu/Sensors.h"
#include "gpu/Spread.h"

namespace haloscope::gpu {

struct BenchOptions {
  int warmups = 3;       ///< launches before the first round, at least
  double warmupMs = 60;  ///< ... and for so long, at least: a GPU that idled takes a while to raise its clock
  int rounds = 5;    ///< a round is `launches` of the kernel, then as many of each copy: drifts of the clock hit all
  int launches = 9;  ///< timed launches a round
};

struct BenchResult {
  Spread kernel;
  int warmups = 0;          ///< launches before those that were timed
  Conditions conditions;    ///< while the kernel ran
  double bytes = 0;         ///< every global array of the launch, once: the least traffic of one sweep
  double effectiveGBs = 0;  ///< bytes / median, in 10^9 bytes/s

  // The denominator, measured in the same run: a device-to-device copy of as many bytes (half read, half written), but
  // of no fewer than 256 MiB, so that it does not fit into the L2 cache.
  Spread copy;           ///< of the fastest of several
  std::string copyKind;  ///< one of CopyTest::kinds()
  double copyBytes = 0;  ///< read and written
  double copyGBs = 0;
  double fractionOfCopy = 0;  ///< effectiveGBs / copyGBs

  KernelResources resources;
  int residentBlocks = 0;  ///< blocks a multiprocessor holds at once
  double occupancy = 0;    ///< resident threads / the most a multiprocessor holds
};

/// Times `launch` on the GPU. Output goes to scratch memory; `launch` is not changed.
/// Throws Unavailable, CompileError, Error. Takes about a second at 512³.
BenchResult bench(const Clearance& clearance, const std::shared_ptr<const Device>& device, const KernelText& text,
                  const Program& program, const Launch& launch, const BenchOptions& options = {});

}  // namespace haloscope::gpu
