#include "state/CostsShown.h"

#include <utility>

namespace haloscope {

void CostsShown::follow(const std::shared_ptr<const experiment::Experiment>& shown, bool changing) {
  if (shown != of_) {
    of_ = shown;
    now_.reset();
    if (shown != nullptr) {
      if (auto launch = figures::launchCosts(*shown)) { now_ = Costs{.launch = std::move(*launch)}; }
    }
  }
  if (changing || isSettled()) { return; }
  before_ = settled_;
  settled_ = now_;
}

void CostsShown::add(std::optional<BlocksHeld> blocks, std::optional<LaunchTime> time, std::string timeMissing) {
  if (!now_) { return; }
  now_->blocks = std::move(blocks);
  now_->time = std::move(time);
  now_->timeMissing = std::move(timeMissing);
  if (isSettled()) { settled_ = now_; }
}

}  // namespace haloscope
