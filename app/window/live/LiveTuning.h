#pragma once

#include <memory>
#include <optional>
#include <string>

#include "live/TuningRunner.h"
#include "state/AppState.h"

namespace haloscope {

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
