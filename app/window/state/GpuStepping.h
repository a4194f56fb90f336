#pragma once

#include <memory>
#include <optional>
#include <string>

#include "experiment/Experiment.h"
#include "measuring/RecordedOnGpu.h"
#include "recording/RecordingAgreement.h"

namespace haloscope {

/// Stepping through the block as the GPU itself ran it; filled by the App while it is on.
struct GpuStepping {
  bool wanted = false;
  bool busy = false;
  std::string problem;     ///< why there is no recording of the GPU, a sentence
  std::string gpu;         ///< "NVIDIA H200"
  std::string copyReason;  ///< why the scene's values come by way of the host; empty: OpenGL reads the GPU's own words
  std::shared_ptr<const experiment::Experiment> emulated;    ///< what the emulator recorded of the same block
  std::shared_ptr<const measuring::RecordedOnGpu> recorded;  ///< what the GPU did; null: nothing yet
  std::optional<recording::RecordingAgreement> agreement;    ///< of the two; none: still being compared
  bool byClock = false;  ///< its steps in the order in which the multiprocessor's clock had them
};

}  // namespace haloscope
