#include "hardware/CounterSession.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "language/Text.h"

namespace haloscope::hardware {

namespace {

/// More passes than any set of metrics needs; stops a session that would not end.
constexpr int kMostPasses = 256;

}  // namespace

CounterSession::CounterSession(std::shared_ptr<const gpu::Device> device, std::vector<std::string> metrics,
                               const std::string& library)
    : device_(std::move(device)), cupti_(device_->properties().driverVersion, library), metrics_(std::move(metrics)) {
  for (const std::string& metric : metrics_) { names_.push_back(metric.c_str()); }
  device_->makeCurrent();
  Cupti::Initialize initialize;
  cupti_.check(cupti_.initialize(&initialize), "cuptiProfilerInitialize");
  makeHost();
  try {
    makeConfig();
    Cupti::Enable enable{.context = device_->context()};
    cupti_.check(cupti_.enable(&enable), "cuptiRangeProfilerEnable");
    range_ = enable.range;
  } catch (...) {  // the destructor does not run for a constructor that throws
    Cupti::HostDeinitialize end{.host = host_};
    (void)cupti_.hostDeinitialize(&end);
    throw;
  }
}

CounterSession::~CounterSession() {
  (void)device_->tryMakeCurrent();
  Cupti::Plain disable{.range = range_};
  (void)cupti_.disable(&disable);
  Cupti::HostDeinitialize end{.host = host_};
  (void)cupti_.hostDeinitialize(&end);
}

void CounterSession::makeHost() {
  Cupti::ChipName chip{.device = static_cast<std::size_t>(device_->handle())};
  cupti_.check(cupti_.deviceGetChipName(&chip), "cuptiDeviceGetChipName");
  // The counters available on this GPU. This call fails if the user may not read them.
  Cupti::Availability available{.context = device_->context()};
  cupti_.check(cupti_.getCounterAvailability(&available), "cuptiProfilerGetCounterAvailability");
  availability_.resize(available.bytes);
  available.image = availability_.data();
  cupti_.check(cupti_.getCounterAvailability(&available), "cuptiProfilerGetCounterAvailability");
  Cupti::HostInitialize host{.chip = chip.name, .availability = availability_.data()};
  cupti_.check(cupti_.hostInitialize(&host), "cuptiProfilerHostInitialize");
  host_ = host.host;
}

void CounterSession::makeConfig() {
  Cupti::HostAddMetrics add{.host = host_, .names = names_.data(), .count = names_.size()};
  cupti_.check(cupti_.hostAddMetrics(&add), "cuptiProfilerHostConfigAddMetrics");
  Cupti::HostConfigSize size{.host = host_};
  cupti_.check(cupti_.hostGetConfigSize(&size), "cuptiProfilerHostGetConfigImageSize");
  config_.resize(size.bytes);
  Cupti::HostConfig config{.host = host_, .bytes = config_.size(), .image = config_.data()};
  cupti_.check(cupti_.hostGetConfig(&config), "cuptiProfilerHostGetConfigImage");
}

std::vector<std::vector<double>> CounterSession::measure(const std::vector<Work>& work,
                                                         const std::function<void()>& prepare) {
  device_->makeCurrent();
  Cupti::DataSize size{.range = range_,
                       .names = names_.data(),
                       .count = names_.size(),
                       .ranges = work.size(),
                       .nodes = static_cast<std::uint32_t>(work.size())};
  cupti_.check(cupti_.getDataSize(&size), "cuptiRangeProfilerGetCounterDataSize");
  data_.assign(size.bytes, 0);
  Cupti::DataInitialize initialize{.range = range_, .bytes = data_.size(), .data = data_.data()};
  cupti_.check(cupti_.initializeData(&initialize), "cuptiRangeProfilerCounterDataImageInitialize");
  Cupti::SetConfig config{.range = range_,
                          .configBytes = config_.size(),
                          .config = config_.data(),
                          .dataBytes = data_.size(),
                          .data = data_.data(),
                          .ranges = work.size()};
  cupti_.check(cupti_.setConfig(&config), "cuptiRangeProfilerSetConfig");

  Cupti::Plain plain{.range = range_};
  for (passes_ = 0;;) {
    prepare();
    cupti_.check(cupti_.start(&plain), "cuptiRangeProfilerStart");
    for (const Work& one : work) {
      Cupti::PushRange push{.range = range_, .name = one.name.c_str()};
      cupti_.check(cupti_.pushRange(&push), "cuptiRangeProfilerPushRange");
      one.run();
      cupti_.check(cupti_.popRange(&plain), "cuptiRangeProfilerPopRange");
    }
    Cupti::Stop stop{.range = range_};
    cupti_.check(cupti_.stop(&stop), "cuptiRangeProfilerStop");
    ++passes_;
    if (stop.allPassesSubmitted != 0) { break; }
    if (passes_ == kMostPasses) {
      throw gpu::Unavailable(trf("reading the hardware counters did not finish: stopped after {} passes", passes_));
    }
  }
  Cupti::Decode decode{.range = range_};
  cupti_.check(cupti_.decode(&decode), "cuptiRangeProfilerDecodeData");
  if (decode.dropped > 0) {
    throw gpu::Unavailable(trf("the hardware counters of {} ranges were lost", decode.dropped));
  }
  std::vector<std::vector<double>> values;
  for (const Work& one : work) { values.push_back(valuesOf(one.name, work.size())); }
  return values;
}

std::vector<double> CounterSession::valuesOf(const std::string& range, std::size_t ranges) {
  for (std::size_t i = 0; i < ranges; ++i) {
    Cupti::RangeInfo info{.data = data_.data(), .bytes = data_.size(), .index = i, .delimiter = "/"};
    cupti_.check(cupti_.getRangeInfo(&info), "cuptiRangeProfilerCounterDataGetRangeInfo");
    if (info.name == nullptr || range != info.name) { continue; }
    std::vector<double> values(names_.size());
    Cupti::HostEvaluate evaluate{.host = host_,
                                 .data = data_.data(),
                                 .bytes = data_.size(),
                                 .range = i,
                                 .names = names_.data(),
                                 .count = names_.size(),
                                 .values = values.data()};
    cupti_.check(cupti_.hostEvaluate(&evaluate), "cuptiProfilerHostEvaluateToGpuValues");
    for (std::size_t metric = 0; metric < values.size(); ++metric) {
      if (!std::isfinite(values[metric])) {
        throw gpu::Unavailable(trf("this GPU counted nothing for {}", metrics_[metric]));
      }
    }
    return values;
  }
  throw gpu::Unavailable(trf("the hardware counters of \"{}\" were lost", range));
}

}  // namespace haloscope::hardware
