#pragma once

namespace haloscope {

struct Playback {
  bool playing = false;
  double stepsPerSecond = 8;
  double carry = 0;  ///< fraction of a step not yet taken
};

}  // namespace haloscope
