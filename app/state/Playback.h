#pragma once

namespace haloscope {

struct Playback {
  bool playing = false;
  double speed = 1;              ///< how many times as fast as recording::secondsOf() says
  bool beginsAtTelling = false;  ///< a kernel that comes on screen stands at Player's tellingPosition()
  double carry = 0;              ///< seconds, at speed 1, that the position has been shown; below zero: still to rest
};

}  // namespace haloscope
