#include "FramePacer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <nlohmann/json.hpp>

#include "text/JsonText.h"

namespace haloscope {

std::string FrameStatistics::json(int width, int height, const std::string& renderer) const {
  std::vector<double> sorted = milliseconds_;
  std::ranges::sort(sorted);
  const auto quantile = [&](double share) {
    return sorted.empty() ? 0.0 : sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
  };
  const double median = quantile(0.5);
  const nlohmann::ordered_json result = {{"frames", sorted.size()},
                                         {"width", width},
                                         {"height", height},
                                         {"renderer", renderer},
                                         {"first_frame_ms", firstFrameMs},
                                         {"first_experiment_ms", firstExperimentMs},
                                         {"median_ms", median},
                                         {"p90_ms", quantile(0.9)},
                                         {"longest_ms", quantile(1)},
                                         {"fps", median > 0 ? 1000 / median : 0.0}};
  return jsonText(result, 2);
}

FramePacer::FramePacer(Surroundings surroundings) : surroundings_(std::move(surroundings)) {}

bool FramePacer::wait(double pace, double step) {
  planned_ = std::isfinite(step) ? step : 0;
  const double begin = surroundings_.now();
  for (;;) {
    // Only a frame lets time pass for playing: what is left is counted here, or it would never run out.
    const double left = step - (surroundings_.now() - begin);
    const double change = surroundings_.secondsToChange();
    const bool event = surroundings_.sleep(std::max(pace, std::min(change, left)));
    const bool stepDue = left <= change;
    if (event || change < kSleep || stepDue || (surroundings_.closing && surroundings_.closing())) { return event; }
  }
}

double FramePacer::passing(double seconds) const { return std::min(seconds, kLongestFrame + planned_); }

}  // namespace haloscope
