#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "gpu/Kernel.h"
#include "gpu/Spread.h"

namespace haloscope::gpu {

struct BenchOptions {
  int warmups = 3;   ///< launches before the first round
  int rounds = 5;    ///< a round is `launches` of the kernel, then as many of each copy: drifts of the clock hit all
  int launches = 9;  ///< timed launches a round
};

struct BenchResult {
  Spread kernel;
  double bytes = 0;         ///< every global array of the launch, once: the least traffic of one sweep
  double effectiveGBs = 0;  ///< bytes / median, in 10^9 bytes/s

  // The denominator, measured in the same run: a device-to-device copy of as many bytes (half read, half written), but
  // of no fewer than 256 MiB, so that it does not fit into the L2 cache.
  Spread copy;           ///< of the faster of the driver's copy and a kernel of float4 loads and stores
  std::string copyKind;  ///< "cuMemcpyDtoD" or "float4 kernel"
  double copyBytes = 0;  ///< read and written
  double copyGBs = 0;
  double fractionOfCopy = 0;  ///< effectiveGBs / copyGBs

  KernelResources resources;
  int residentBlocks = 0;  ///< blocks a multiprocessor holds at once
  double occupancy = 0;    ///< resident threads / the most a multiprocessor holds
};

/// Times `launch` on the GPU. Output goes to scratch memory; `launch` is not changed.
/// Throws Unavailable, CompileError, Error. Takes about a second at 512³.
BenchResult bench(const std::shared_ptr<const Device>& device, const KernelText& text, const Program& program,
                  const Launch& launch, const BenchOptions& options = {});

}  // namespace haloscope::gpu
