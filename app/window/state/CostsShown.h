#pragma once

#include <memory>
#include <optional>
#include <string>

#include "catalogue/KernelFile.h"
#include "driver/Occupancy.h"
#include "figures/LaunchCosts.h"

namespace haloscope {

/// How many blocks of a launch a multiprocessor holds at once.
struct BlocksHeld {
  std::string gpu;
  gpu::Occupancy occupancy{};
  int registers = 0;    ///< of a thread, as compiled for this GPU; 0: not known, and then they limit nothing
  std::string missing;  ///< why they are not known, a sentence
};

/// How long a launch takes.
struct LaunchTime {
  std::string gpu;
  std::string sizes;             ///< "N = 512"
  bool otherSizes = false;       ///< ... than those on screen
  int samples = 0;               ///< 0: predicted by the roofline
  double lowMs = 0, highMs = 0;  ///< measured: 10th to 90th percentile; predicted: each array once to no caches
  double medianMs = 0;           ///< measured
  std::string disturbance{};     ///< of what was measured; empty: nothing known
  [[nodiscard]] bool measured() const { return samples > 0; }
};

/// What a launch costs, and what is found out about it after it was executed.
struct Costs {
  figures::LaunchCosts launch;
  std::optional<BlocksHeld> blocks{};  ///< empty: not known, or not yet
  std::optional<LaunchTime> time{};    ///< likewise
  std::string timeMissing{};           ///< why there is no time, a sentence
};

/// What the launch on screen costs, and what the one before the last change did.
class CostsShown {
 public:
  /// Of a frame. While `changing`, as by a slider that is dragged, what is on screen is none to look back at yet.
  void follow(const std::shared_ptr<const experiment::Experiment>& shown, bool changing);
  /// What is known by now of the launch on screen. After follow(): no change to look back at.
  void add(std::optional<BlocksHeld> blocks, std::optional<LaunchTime> time, std::string timeMissing = {});

  [[nodiscard]] const std::optional<Costs>& now() const { return now_; }
  [[nodiscard]] const std::optional<Costs>& before() const { return isSettled() ? before_ : settled_; }

 private:
  [[nodiscard]] bool isSettled() const {
    return now_.has_value() == settled_.has_value() && (!now_ || now_->launch == settled_->launch);
  }

  std::shared_ptr<const experiment::Experiment> of_;
  std::optional<Costs> now_, settled_, before_;
};

}  // namespace haloscope
