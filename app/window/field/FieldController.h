#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "driver/Device.h"
#include "driver/KernelProcess.h"
#include "measuring/GpuGate.h"
#include "state/AppState.h"

namespace haloscope::work {
class Pool;
}

namespace haloscope::field {

struct FieldOptions {
  std::filesystem::path shaders;  ///< the folder with field_*.comp
  bool software = false;          ///< OpenGL runs on the processor: draw coarsely while things move
  bool gpu = true;                ///< use one if there is one
  bool hostCopy = false;          ///< do not try interop
  gpu::DeviceOptions device{};
  std::filesystem::path program{};  ///< Haloscope's own executable, for kernels in a child process; empty: this one
  gpu::ProcessLimits limits{};      ///< limits.run holds for the sweeps of a frame in this process, too
  measuring::AskGpuGate gate = measuring::askingOwnGate();  ///< which kernels may run on the GPU
};

/// Runs the field: makes its buffers, has its kernel compiled, sweeps it as FieldControls ask, draws it, and fills in
/// FieldStatus. Finds and measures the GPU, once, at the beginning. Everything slow happens on the pool.
///
/// A kernel that faults or does not end breaks CUDA for the whole process. So a kernel that measuring::GpuGate does not
/// clear runs only if the user insists, and then in a child process; and if one fails here all the same, this process
/// gives up the GPU, and every kernel runs in a child process from then on.
///
/// Make, use and destroy it on the thread with the OpenGL context, while that is current.
class FieldController {
 public:
  /// Throws FieldShaderError.
  FieldController(FieldOptions options, work::Pool& pool);
  FieldController(const FieldController&) = delete;
  FieldController& operator=(const FieldController&) = delete;
  ~FieldController();

  /// Once a frame, before the panels are drawn (it may replace the texture they draw). Reads the experiment and the
  /// field controls, consuming singleSweep and reset; writes the field status and what the status bar shows about the
  /// GPU. Never waits for the GPU or a worker, except for the value under the pointer and for the curve of a 1D field.
  /// Does not throw for what the GPU or a kernel does: see FieldStatus::problem.
  void update(AppState& state);
  /// The GPU, or null if there is none or it failed; nothing while the search is still running.
  [[nodiscard]] std::optional<std::shared_ptr<const gpu::Device>> device() const;
  /// True while the next frame would show something else: a worker is busy, sweeps run, the picture is to be refined.
  [[nodiscard]] bool changes() const;

  /// Waits until nothing changes any more except for running sweeps: for pictures and tests.
  void settle(AppState& state);
  /// While it is, nothing is drawn, and sweeps take more of a frame.
  void setUnwatched(bool unwatched);
  /// Runs `sweeps` sweeps, then settles.
  void sweep(AppState& state, int sweeps);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace haloscope::field
