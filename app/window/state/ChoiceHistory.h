#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "experiment/Experiment.h"
#include "opening/OpenedFile.h"

namespace haloscope {

struct AppState;

/// What was chosen in the window: variant, sizes, tunables, block, barriers, order of the warps, data; and of an opened
/// file, what its launch table says.
struct Chosen {
  experiment::Choice choice;
  opening::LaunchOverrides overrides{};
  std::string launched{};  ///< which of the file's kernels; empty: the first

  bool operator==(const Chosen& other) const;
};

[[nodiscard]] Chosen chosenNow(const AppState& state);

/// The choices of the window so far, to go back and forward in.
class ChoiceHistory {
 public:
  /// Notes the choice of a frame. While it is still being changed, as by a slider that is dragged, it is not noted yet.
  void note(const Chosen& now, bool changing);

  /// The choice before `now`, or the one that was undone last; nothing where there is none.
  std::optional<Chosen> back(const Chosen& now);
  std::optional<Chosen> forward(const Chosen& now);

 private:
  std::optional<Chosen> current_;
  std::deque<Chosen> past_;  ///< oldest first
  std::vector<Chosen> undone_;
};

}  // namespace haloscope
