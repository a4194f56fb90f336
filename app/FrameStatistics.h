#pragma once

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

}  // namespace haloscope
