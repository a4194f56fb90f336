#include "state/CostsShown.h"

namespace haloscope {

void CostsShown::follow(const std::shared_ptr<const experiment::Experiment>& shown, bool changing) {
  if (shown != of_) {
    of_ = shown;
    now_ = shown == nullptr ? std::nullopt : figures::launchCosts(*shown);
  }
  if (changing || now_ == settled_) { return; }
  before_ = settled_;
  settled_ = now_;
}

}  // namespace haloscope
