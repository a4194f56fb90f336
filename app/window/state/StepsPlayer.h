#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "experiment/Experiment.h"
#include "recording/BlockView.h"
#include "recording/Cursor.h"
#include "state/Playback.h"

namespace haloscope {

/// An animation in a lesson's text: it stands still until it is played.
struct StepsPlayer {
  std::shared_ptr<const experiment::Experiment> experiment;
  recording::Cursor cursor;
  std::size_t from = 0, to = 0;  ///< its first and last position
  std::uint32_t thread = 0;      ///< whose reads are drawn
  Playback playback;
  recording::BlockView view;  ///< at the cursor's position
  std::size_t viewed = 0;     ///< the position of `view`

  StepsPlayer() = default;
  /// At its beginning.
  StepsPlayer(std::shared_ptr<const experiment::Experiment> of, std::size_t first, std::size_t last);

  void goTo(std::size_t position);  ///< within its steps
  /// From its end it plays from its beginning again.
  void playOrPause();
  /// Lets time pass. It stops at its end.
  void walk(double seconds);

 private:
  void look();
};

}  // namespace haloscope
