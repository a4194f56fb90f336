#pragma once

#include <optional>

namespace haloscope {

inline constexpr double kSlowest = 0.0625, kFastest = 64;  ///< of Playback::speed

struct Playback {
  bool playing = false;
  double speed = 1;              ///< how many times as fast as recording::secondsOf() says
  bool beginsAtTelling = false;  ///< a kernel that comes on screen stands at Player's tellingPosition()
  double carry = 0;              ///< seconds, at speed 1, that the position has been shown; below zero: still to rest
  /// Of the movement of the position's step, 0…1, which is shown instead of what time has made of it: while the head of
  /// the film is dragged, and in a film that is written.
  std::optional<float> held{};
};

}  // namespace haloscope
