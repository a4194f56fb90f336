#pragma once

#include <memory>
#include <optional>
#include <string>

#include "measuring/Tuning.h"
#include "state/AppState.h"
#include "work/Worker.h"

namespace haloscope {

/// Fills tuning maps in the background, cell by cell. A newer request replaces a stale one, whether waiting or running.
class TuningRunner {
 public:
  using Map = std::shared_ptr<const measuring::TuningMap>;

  TuningRunner(work::Pool& pool, measuring::GpuGate& gate);

  void request(measuring::TuningRequest request) { worker_.request(std::move(request)); }
  /// Drops what was requested: what runs ends soon.
  void cancel() { worker_.cancel(); }
  /// A map is being filled, or the GPU is still at one that was cancelled.
  [[nodiscard]] bool busy() const { return worker_.busy() || worker_.running(); }
  /// The map as it is now, if it has changed since the last call. Never blocks.
  std::optional<Map> poll();
  /// Blocks until the newest request is finished or was cancelled.
  void wait() { worker_.finish(); }

 private:
  void tune(const measuring::TuningRequest& request, work::Delivery<Map>& delivery);

  // Used on the worker's thread.
  measuring::Tuner tuner_;
  Map known_;              ///< the last map whose cells were finished
  std::string knownText_;  ///< of its kernel

  work::Worker<measuring::TuningRequest, Map> worker_;
};

/// Has the tuning map filled for the chosen kernel while its panel is in front. Only settle() waits.
class LiveTuning {
 public:
  LiveTuning(work::Pool& pool, measuring::GpuGate& gate) : runner_(pool, gate) {}

  /// A GPU, null where there is none; nothing while it is looked for.
  using FoundDevice = std::optional<std::shared_ptr<const gpu::Device>>;

  /// Once a frame: takes what was filled, and asks for another map when something else is chosen.
  void update(AppState& state, const FoundDevice& device);
  /// Waits for the map, if its panel is in front.
  void settle(AppState& state, const FoundDevice& device);

 private:
  /// What a map depends on.
  struct Asked {
    std::string kernel, text;
    Bindings tunables;
    std::int64_t size = 0;
    measuring::AxisChoice axes;
    const gpu::Device* device = nullptr;
    int gpuSpec = -1;
    std::string objection;  ///< why this is not tuned
    bool operator==(const Asked&) const = default;
  };

  TuningRunner runner_;
  std::optional<Asked> asked_;
  std::string kernel_;  ///< that the requested size belongs to
};

}  // namespace haloscope
