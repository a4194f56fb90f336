#pragma once

#include <functional>
#include <string>
#include <vector>

namespace haloscope {

/// Times of frames, for --frames: what the bench reads.
class FrameStatistics {
 public:
  void add(double milliseconds) { milliseconds_.push_back(milliseconds); }
  [[nodiscard]] std::size_t count() const { return milliseconds_.size(); }

  /// Since the program's start: when the first frame was on screen, and the first one with an executed kernel in it.
  double firstFrameMs = 0, firstExperimentMs = 0;

  /// One JSON object: frames, width, height, renderer, first_frame_ms, first_experiment_ms, median_ms, p90_ms,
  /// longest_ms, fps (of the median).
  [[nodiscard]] std::string json(int width, int height, const std::string& renderer) const;

 private:
  std::vector<double> milliseconds_;
};

/// Decides when the window draws its next frame, and how much time passes for what moves in it. A frame is drawn when
/// an event comes, when something may have changed, and when playing takes its next step; in between the window sleeps.
class FramePacer {
 public:
  /// Longest sleep without asking again what changes next, in seconds. `secondsToChange` returns it where no change is
  /// known to come.
  static constexpr double kSleep = 0.5;
  /// Most seconds that pass in a frame beyond a planned wait: one that took longer, because the window was hidden or
  /// the machine busy, does not make playing leap.
  static constexpr double kLongestFrame = 0.25;

  /// What the pacer needs of its surroundings; times in seconds.
  struct Surroundings {
    std::function<double()> now;
    std::function<double()> secondsToChange;    ///< 0: at once; at most kSleep
    std::function<bool(double seconds)> sleep;  ///< returns earlier, and true, when an event comes
    std::function<bool()> closing{};            ///< the window is about to close; none: never
  };

  explicit FramePacer(Surroundings surroundings);

  /// Sleeps until a frame is due: at least `pace` seconds, unless an event comes, and no longer than `step` seconds,
  /// after which playing takes its next step (infinite: nothing plays). True if an event came.
  bool wait(double pace, double step);
  /// Of `seconds` since the last frame, those that pass for playing.
  [[nodiscard]] double passing(double seconds) const;

 private:
  Surroundings surroundings_;
  double planned_ = 0;  ///< seconds that the last wait was for a step
};

}  // namespace haloscope
