// A libcupti.so for tests on machines without a GPU: counts nothing, but insists on the order of calls that the real
// one insists on, takes three passes, and answers with numbers that can be recognised: metric m of range r has the
// value 100 * (r + 1) + m. The environment variable FAKE_CUPTI_REFUSES, a CUptiResult, is what it answers to the
// question for the counters that there are.

#include <cstdlib>
#include <cstring>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "hardware/Cupti.h"

using haloscope::hardware::Cupti;

namespace {

constexpr int kPasses = 3;
constexpr Cupti::Result kSuccess = 0, kInvalidParameter = 1, kInvalidOperation = 7;
constexpr std::size_t kImage = 64;

struct State {
  bool initialised = false, enabled = false, configured = false, started = false, pushed = false;
  std::vector<std::string> ranges;  ///< of this pass
  std::vector<std::string> decoded;
  int passes = 0;
  std::set<std::string> metrics;
};

State& state() {
  static State one;
  return one;
}

int dummy = 0;

template <typename Opaque>
Opaque* object() {
  return reinterpret_cast<Opaque*>(&dummy);
}

Cupti::Result when(bool good, Cupti::Result otherwise = kInvalidOperation) { return good ? kSuccess : otherwise; }

}  // namespace

#define FAKE extern "C" __attribute__((visibility("default"))) Cupti::Result

FAKE cuptiGetResultString(Cupti::Result, const char** words) {
  *words = "fake trouble";
  return kSuccess;
}
FAKE cuptiProfilerInitialize(Cupti::Initialize*) {
  state() = {};
  state().initialised = true;
  return kSuccess;
}
FAKE cuptiDeviceGetChipName(Cupti::ChipName* asked) {
  asked->name = "FAKE";
  return kSuccess;
}
FAKE cuptiProfilerGetCounterAvailability(Cupti::Availability* asked) {
  if (const char* refuses = std::getenv("FAKE_CUPTI_REFUSES"); refuses != nullptr) { return std::atoi(refuses); }
  if (asked->image != nullptr && asked->bytes < kImage) { return kInvalidParameter; }
  asked->bytes = kImage;
  return when(asked->context != nullptr, kInvalidParameter);
}
FAKE cuptiProfilerHostInitialize(Cupti::HostInitialize* asked) {
  asked->host = object<Cupti::Host>();
  return when(std::strcmp(asked->chip, "FAKE") == 0 && asked->availability != nullptr, kInvalidParameter);
}
FAKE cuptiProfilerHostDeinitialize(Cupti::HostDeinitialize* asked) { return when(asked->host != nullptr); }
FAKE cuptiProfilerHostConfigAddMetrics(Cupti::HostAddMetrics* asked) {
  for (std::size_t i = 0; i < asked->count; ++i) { state().metrics.insert(asked->names[i]); }
  return when(asked->count > 0, kInvalidParameter);
}
FAKE cuptiProfilerHostGetConfigImageSize(Cupti::HostConfigSize* asked) {
  asked->bytes = kImage;
  return when(!state().metrics.empty());
}
FAKE cuptiProfilerHostGetConfigImage(Cupti::HostConfig* asked) {
  return when(asked->bytes == kImage && asked->image != nullptr, kInvalidParameter);
}
FAKE cuptiProfilerHostEvaluateToGpuValues(Cupti::HostEvaluate* asked) {
  for (std::size_t i = 0; i < asked->count; ++i) {
    asked->values[i] = 100.0 * static_cast<double>(asked->range + 1) + static_cast<double>(i);
  }
  return when(asked->range < state().decoded.size(), kInvalidParameter);
}
FAKE cuptiRangeProfilerEnable(Cupti::Enable* asked) {
  asked->range = object<Cupti::Range>();
  return when(state().initialised && !std::exchange(state().enabled, true));
}
FAKE cuptiRangeProfilerDisable(Cupti::Plain*) { return when(std::exchange(state().enabled, false)); }
FAKE cuptiRangeProfilerGetCounterDataSize(Cupti::DataSize* asked) {
  asked->bytes = kImage * asked->ranges;
  return when(asked->ranges > 0 && asked->nodes >= asked->ranges, kInvalidParameter);
}
FAKE cuptiRangeProfilerCounterDataImageInitialize(Cupti::DataInitialize* asked) {
  return when(asked->data != nullptr && asked->bytes > 0, kInvalidParameter);
}
FAKE cuptiRangeProfilerSetConfig(Cupti::SetConfig* asked) {
  state().configured = true;
  state().passes = 0;
  return when(asked->mode == Cupti::kUserRange && asked->replay == Cupti::kUserReplay && asked->config != nullptr,
              kInvalidParameter);
}
FAKE cuptiRangeProfilerStart(Cupti::Plain*) {
  state().ranges.clear();
  return when(state().enabled && state().configured && !std::exchange(state().started, true));
}
FAKE cuptiRangeProfilerPushRange(Cupti::PushRange* asked) {
  state().ranges.emplace_back(asked->name);
  return when(state().started && !std::exchange(state().pushed, true));
}
FAKE cuptiRangeProfilerPopRange(Cupti::Plain*) { return when(std::exchange(state().pushed, false)); }
FAKE cuptiRangeProfilerStop(Cupti::Stop* asked) {
  asked->allPassesSubmitted = ++state().passes == kPasses ? 1 : 0;
  return when(std::exchange(state().started, false));
}
FAKE cuptiRangeProfilerDecodeData(Cupti::Decode*) {
  state().decoded = state().ranges;
  return when(state().passes == kPasses);
}
FAKE cuptiRangeProfilerCounterDataGetRangeInfo(Cupti::RangeInfo* asked) {
  asked->name = asked->index < state().decoded.size() ? state().decoded[asked->index].c_str() : nullptr;
  return when(asked->name != nullptr, kInvalidParameter);
}
