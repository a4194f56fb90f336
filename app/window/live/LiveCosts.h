#pragma once

#include <memory>
#include <optional>

#include "experiment/Experiment.h"
#include "figures/CodeReport.h"
#include "state/AppState.h"
#include "work/Worker.h"

namespace haloscope {

/// Keeps AppState::costs up to date: its code is compiled for the chosen GPU while the block is on screen, which says
/// how many blocks a multiprocessor holds; its time is that of the tuning map, or predicted. Only settle() waits.
class LiveCosts {
 public:
  explicit LiveCosts(work::Pool& pool);

  /// Once a frame; `changing` as for CostsShown.
  void update(AppState& state, bool changing);
  void settle(AppState& state);
  [[nodiscard]] bool busy() const { return code_.busy(); }

 private:
  struct Asked {
    std::shared_ptr<const experiment::Experiment> experiment;
    figures::CodeTarget target;
    bool operator==(const Asked&) const = default;
  };

  std::optional<figures::CodeReporter> reporter_;  ///< used by the work alone
  Asked asked_;
  std::optional<BlocksHeld> blocks_;  ///< of asked_
  work::Worker<Asked, std::optional<BlocksHeld>> code_;
};

}  // namespace haloscope
