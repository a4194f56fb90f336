#include "FrameStatistics.h"

#include <algorithm>
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

}  // namespace haloscope
