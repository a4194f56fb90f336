#pragma once

#include <memory>
#include <optional>
#include <string>

#include "measuring/Tuning.h"
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

}  // namespace haloscope
