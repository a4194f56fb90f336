#include "live/TuningRunner.h"

#include <exception>
#include <utility>

namespace haloscope {

TuningRunner::TuningRunner(work::Pool& pool, measuring::GpuGate& gate)
    : tuner_(pool, gate),
      worker_(
          pool, {work::Priority::Background, work::Cores::None},
          [this](const measuring::TuningRequest& request, work::Delivery<Map>& delivery) { tune(request, delivery); }) {
}

std::optional<TuningRunner::Map> TuningRunner::poll() {
  std::optional<Map> newest;
  while (auto map = worker_.poll()) { newest = std::move(map); }
  return newest;
}

void TuningRunner::tune(const measuring::TuningRequest& request, work::Delivery<Map>& delivery) {
  const auto publish = [&](measuring::TuningMap map) {
    delivery.publish(std::make_shared<const measuring::TuningMap>(std::move(map)));
  };
  try {
    if (knownText_ != request.file.text) { known_.reset(); }
    measuring::TuningMap map = tuner_.tune(request, publish, delivery.stop(), known_.get());
    if (map.filled) {
      known_ = std::make_shared<const measuring::TuningMap>(map);
      knownText_ = request.file.text;
    }
    publish(std::move(map));
  } catch (const std::exception& failure) {  // a lost GPU, a text that cannot be launched
    known_.reset();
    measuring::TuningMap map;
    map.kernel = request.file.id;
    map.gpu = request.target.name;
    map.problem = failure.what();
    publish(std::move(map));
  }
}

}  // namespace haloscope
