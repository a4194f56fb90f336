#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "catalogue/Climb.h"
#include "catalogue/LimitSuite.h"
#include "measuring/RecordedLimits.h"
#include "state/AppState.h"
#include "work/Worker.h"

namespace haloscope::measuring {
class GpuGate;
}

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

}  // namespace haloscope
