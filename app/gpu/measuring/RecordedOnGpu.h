#pragma once

#include <memory>
#include <string>

#include "experiment/Experiment.h"
#include "measuring/GpuRecorder.h"

namespace haloscope::measuring {

class GpuGate;

/// An experiment whose block the GPU recorded, alongside the emulator's.
struct RecordedOnGpu {
  std::shared_ptr<const experiment::Experiment> emulated;
  std::shared_ptr<const experiment::Experiment>
      experiment;  ///< the same, with the GPU's recording and all that is found in it
  GpuRecording run;
  double seconds = 0;  ///< from request to this
};

/// Records the focused block of an experiment on a GPU, compiled so that products and sums are rounded separately. A
/// kernel in which the emulator found a fault is refused. Throws InputError, and as GpuRecorder::record() does.
[[nodiscard]] std::shared_ptr<const RecordedOnGpu> recordOnGpu(GpuRecorder& recorder, GpuGate& gate,
                                                               std::shared_ptr<const experiment::Experiment> emulated,
                                                               const GpuRecordOptions& options = {});

}  // namespace haloscope::measuring
