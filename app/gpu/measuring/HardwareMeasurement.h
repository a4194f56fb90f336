#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>

#include "catalogue/KernelFile.h"
#include "driver/Device.h"
#include "experiment/Experiment.h"
#include "measuring/HardwareReading.h"

namespace haloscope::measuring {

class GpuGate;

/// What to measure.
struct HardwareRequest {
  KernelFile file;
  Bindings bindings;    ///< complete
  bool enlarge = true;  ///< the sizes may be raised to fillingSizes()
};

/// The bindings with sizes at which no cache can hold the arrays: together these have at least
/// four times the size of an L2 cache of this many bytes. Larger sizes stay, and so do all sizes of a text
/// that is not a shipped variant: it is checked at them before the GPU runs it, and an opened file's launch may depend
/// on them.
[[nodiscard]] Bindings fillingSizes(const KernelFile& file, const Bindings& bindings, std::uint64_t l2Bytes);

/// What the emulator counted, with all of the hardware at 0.
[[nodiscard]] HardwareReading emulatorsHalf(const experiment::Experiment& executed);

/// Runs the launch on the emulator and on the GPU, where the hardware's counters are read and the time is taken. Waits:
/// up to some seconds, most of them for the emulator. Throws Cancelled when asked to stop; gpu::Unavailable where
/// counters cannot be read (what() says how to allow them); gpu::NvrtcError, gpu::Error; FaultError for a kernel that
/// is not cleared for the GPU; InputError, SourceError.
[[nodiscard]] HardwareReading measureHardware(const std::shared_ptr<const gpu::Device>& device, GpuGate& gate,
                                              const HardwareRequest& request, const std::stop_token& stop = {});

}  // namespace haloscope::measuring
