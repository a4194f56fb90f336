#pragma once

#include <memory>
#include <optional>

#include "figures/LaunchCosts.h"

namespace haloscope {

/// What the launch on screen costs, and what the one before the last change did.
class CostsShown {
 public:
  /// Of a frame. While `changing`, as by a slider that is dragged, what is on screen is none to look back at yet.
  void follow(const std::shared_ptr<const experiment::Experiment>& shown, bool changing);

  [[nodiscard]] const std::optional<figures::LaunchCosts>& now() const { return now_; }
  [[nodiscard]] const std::optional<figures::LaunchCosts>& before() const {
    return now_ == settled_ ? before_ : settled_;
  }

 private:
  std::shared_ptr<const experiment::Experiment> of_;
  std::optional<figures::LaunchCosts> now_, settled_, before_;
};

}  // namespace haloscope
