#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "driver/Device.h"
#include "driver/SharedBuffer.h"
#include "measuring/GpuRecorder.h"
#include "render/RecordedValues.h"
#include "state/AppState.h"
#include "work/Worker.h"

namespace haloscope {

/// While the user steps through the GPU's execution: has the GPU record the block on screen, and replaces the
/// emulator's experiment by the one with the GPU's recording. The threads write into a buffer from which OpenGL draws
/// the scene. Works in the background; the buffer passes between CUDA and OpenGL between frames.
class GpuStepper {
 public:
  /// `shaders`: the folder. `gpu`: use one if there is one.
  GpuStepper(work::Pool& pool, measuring::GpuGate& gate, std::filesystem::path shaders, bool gpu,
             gpu::DeviceOptions device);
  GpuStepper(const GpuStepper&) = delete;
  GpuStepper& operator=(const GpuStepper&) = delete;

  /// Once a frame, with OpenGL's context current. Never waits.
  void update(AppState& state);
  /// Waits until the requested recording is on screen or has failed.
  void settle(AppState& state);
  [[nodiscard]] bool busy() const { return opening_.busy() || recording_.busy() || comparing_.busy(); }
  /// What the scene's values come from; null: from the host's recording.
  [[nodiscard]] render::RecordedValues* values();

 private:
  /// What is to be recorded, and where the threads' words go: null address, to memory of the recorder's own.
  struct Recording {
    std::shared_ptr<measuring::GpuRecorder> recorder;
    std::shared_ptr<const experiment::Experiment> emulated;
    measuring::GpuRecordOptions options;
    std::shared_ptr<gpu::Stream> stream;  ///< on which OpenGL's buffer was mapped; null: it was not
  };
  struct RecordingOutcome {
    std::shared_ptr<const experiment::Experiment> of;
    std::shared_ptr<const measuring::RecordedOnGpu> recorded;
    std::string problem;
    bool lost = false;            ///< the GPU can no longer be used in this process
    std::size_t wordsWanted = 0;  ///< bytes of a buffer that would have been large enough; 0: it was
  };

  [[nodiscard]] static RecordingOutcome record(const Recording& wanted, measuring::GpuGate& gate);
  void start(AppState& state);
  void receive(AppState& state, RecordingOutcome outcome);
  [[nodiscard]] static bool shown(const AppState& state);
  void lose(std::string why);
  void show(AppState& state, const std::shared_ptr<const experiment::Experiment>& experiment);

  std::filesystem::path shaders_;
  gpu::DeviceOptions deviceOptions_;
  std::unique_ptr<render::RecordedValues> values_;
  std::shared_ptr<const gpu::Device> device_;
  std::shared_ptr<gpu::Stream> stream_;
  std::unique_ptr<gpu::SharedBuffer> shared_;
  std::string copyReason_;
  std::string lost_;  ///< why there is no GPU for this process any more; empty: there is
  std::shared_ptr<measuring::GpuRecorder> recorder_;
  std::size_t wordsBytes_ = 0;
  bool described_ = false;
  std::shared_ptr<const experiment::Experiment> failed_;  ///< the experiment that could not be recorded
  bool byClock_ = false;                                  ///< the order of what was asked for last
  work::Worker<gpu::DeviceOptions, gpu::DeviceSearch> opening_;
  work::Worker<Recording, RecordingOutcome> recording_;
  /// What is on screen with the emulator's.
  work::Worker<std::shared_ptr<const measuring::RecordedOnGpu>, recording::RecordingAgreement> comparing_;
};

}  // namespace haloscope
