#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "catalogue/Climb.h"
#include "catalogue/LimitSuite.h"
#include "measuring/HardwareMeasurement.h"
#include "measuring/RecordedLimits.h"
#include "state/AppState.h"
#include "work/Worker.h"

namespace haloscope {

/// What timing the rungs of a class came to.
struct ClimbTiming {
  std::string kind;                                ///< the class
  std::vector<measuring::RecordedLimit> limits{};  ///< of the rungs that are right
  std::map<std::string, std::string> problems{};   ///< by variant: why there is no time
  std::string missing{};                           ///< why nothing can be timed here, one sentence
};

/// Has the rungs of a climb timed as `haloscope bench --suite` does it: at a class's size, with the tiles that were
/// tuned for this GPU, verified, beside copies of the same run.
class ClimbTimer {
 public:
  struct Job {
    std::shared_ptr<const Catalogue> catalogue;
    LimitClass limit;
  };
  /// Calls the function with each rung that it begins with.
  using Measure =
      std::function<ClimbTiming(const Job&, const std::stop_token&, const std::function<void(const std::string&)>&)>;

  ClimbTimer(work::Pool& pool, Measure measure);

  /// All classes that differ from the shown one in their time steps alone. A climb that is in no suite is timed at a
  /// size that fills the GPU.
  void request(const AppState& state, const Climb& climb);
  /// Takes what was measured. Never waits.
  void receive(AppState& state);
  [[nodiscard]] bool busy() const { return worker_.busy(); }
  /// The rung that is being timed.
  [[nodiscard]] std::string doing() const { return worker_.doing(); }
  void wait() { worker_.finish(); }

 private:
  work::Worker<std::vector<Job>, ClimbTiming> worker_;
};

/// Looks for the first GPU when it is called, and times there. Gate and pool must outlive the function.
[[nodiscard]] ClimbTimer::Measure timingOnFirstGpu(measuring::GpuGate& gate, work::Pool& pool);

/// Reads hardware counters in the background, one launch after another. Newer requests replace older ones.
class HardwareRunner {
 public:
  /// Makes one reading; throws what measureHardware() throws.
  using Measure = std::function<measuring::HardwareReading(const measuring::HardwareRequest&, const std::stop_token&)>;

  /// The result of a request: a reading, or why there is none.
  struct Result {
    std::string id;                                             ///< of the kernel
    std::shared_ptr<const measuring::HardwareReading> reading;  ///< null on error
    std::string error;                                          ///< one sentence
    bool unavailable = false;                                   ///< no counters can be read here for any kernel
  };

  HardwareRunner(work::Pool& pool, Measure measure);

  /// The first is measured first. Where no counters can be read at all, the others are dropped.
  void request(std::vector<measuring::HardwareRequest> requests);
  /// The kernel that is being measured; empty when there is nothing to do.
  [[nodiscard]] std::string measuring() const;
  /// Each result once, in the order of the requests. Never blocks.
  std::optional<Result> poll() { return worker_.poll(); }
  /// Blocks until nothing is left to be measured.
  void wait() { worker_.finish(); }

 private:
  using Requests = std::vector<measuring::HardwareRequest>;

  std::string first_;  ///< kernel of the newest requests
  work::Worker<Requests, Result> worker_;
};

/// Looks for the first GPU when it is called, and measures there. The gate must outlive the function.
[[nodiscard]] HardwareRunner::Measure measuringOnFirstGpu(measuring::GpuGate& gate);

/// Has the GPU's hardware counters read on request: first of the variant on screen, then of the others of its
/// chapter, at the same tunables; with the climb in front, its rungs are timed and counted as a suite's, and then the
/// own kernel on screen. The field pauses while it reads.
class HardwareReadings {
 public:
  HardwareReadings(work::Pool& pool, HardwareRunner::Measure measure, ClimbTimer::Measure time);

  /// Once a frame. Waits for nothing.
  void update(AppState& state);
  /// Waits for all that was asked for.
  void settle(AppState& state);

 private:
  void startRequested(AppState& state);
  /// Once nothing comes any more: says why there is nothing, where no panel on screen does.
  void sayOutcome(AppState& state);

  HardwareRunner runner_;
  ClimbTimer timer_;
  bool readOwn_ = false;  ///< the own kernel, once the rungs are timed
  bool asked_ = false;    ///< and what came of it was not said yet
};

}  // namespace haloscope
