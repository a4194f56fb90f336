#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "parts/Workspaces.h"

namespace haloscope::experiment {
struct Experiment;
}

namespace haloscope {

/// Presentation mode: one panel, or two beside each other, fill the screen.
struct Presenting {
  /// A place on the screen as shares of its width and height: marks stay where they are on every screen.
  struct Point {
    float x = 0, y = 0;
  };

  bool on = false;
  std::vector<Tab> hall{};                  ///< the panels: one or two; empty: the one that the workspace is about
  bool spotlight = false;                   ///< all but the surroundings of the pointer is dimmed
  bool marking = false;                     ///< the pointer draws
  bool frozen = false;                      ///< the screen keeps the picture that it has
  bool notes = false;                       ///< the lecturer's notes are on screen
  bool notesWindow = false;                 ///< ... in a window of their own, on another monitor where there is one
  std::vector<std::vector<Point>> marks{};  ///< lines drawn by hand, until the next step
  std::shared_ptr<const experiment::Experiment> markedIn{};  ///< ... of this execution
  std::size_t markedAt = 0;                                  ///< ... at this position
  double seconds = 0;                                        ///< since the presentation began
  double quiet = 0;  ///< seconds since the pointer moved or a scene was shown: the bar hides
};

}  // namespace haloscope
