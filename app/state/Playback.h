#pragma once

namespace haloscope {

struct Playback {
  bool playing = false;
  double stepsPerSecond = 8;
  bool beginsAtTelling = false;  ///< a kernel that comes on screen stands at Player's tellingPosition()
  double carry = 0;              ///< fraction of a step not yet taken
};

}  // namespace haloscope
