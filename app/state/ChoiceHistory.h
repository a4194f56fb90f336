#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "experiment/Experiment.h"

namespace haloscope {

struct AppState;

/// The choices of the window so far, to go back and forward in: variant, sizes, tunables, block, barriers, order of the
/// warps, data.
class ChoiceHistory {
 public:
  /// Notes the choice of a frame. While it is still being changed, as by a slider that is dragged, it is not noted yet.
  void note(const experiment::Choice& now, bool changing);

  /// The choice before `now`, or the one that was undone last; nothing where there is none.
  std::optional<experiment::Choice> back(const experiment::Choice& now);
  std::optional<experiment::Choice> forward(const experiment::Choice& now);

 private:
  std::optional<experiment::Choice> current_;
  std::deque<experiment::Choice> past_;  ///< oldest first
  std::vector<experiment::Choice> undone_;
};

void undoChoice(AppState& state);
void redoChoice(AppState& state);

}  // namespace haloscope
