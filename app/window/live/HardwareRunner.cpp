#include "live/HardwareRunner.h"

namespace haloscope {

namespace {

/// What goes wrong becomes a sentence. Throws Cancelled when asked to stop.
HardwareRunner::Result measured(const HardwareRunner::Measure& measure, const measuring::HardwareRequest& request,
                                const std::stop_token& stop) {
  HardwareRunner::Result result;
  result.id = request.file.id;
  try {
    result.reading = std::make_shared<const measuring::HardwareReading>(measure(request, stop));
  } catch (const gpu::Unavailable& missing) {
    result.error = missing.what();
    result.unavailable = true;
  } catch (const SourceError& error) { result.error = error.message(); } catch (const std::exception& error) {
    result.error = error.what();
  }
  return result;
}

}  // namespace

HardwareRunner::HardwareRunner(work::Pool& pool, Measure measure)
    : worker_(pool, {work::Priority::Foreground, work::Cores::None},
              [measure = std::move(measure)](const Requests& requests, work::Delivery<Result>& delivery) {
                for (const measuring::HardwareRequest& request : requests) {
                  if (delivery.stop().stop_requested()) { return; }
                  delivery.report(request.file.id);
                  Result result = measured(measure, request, delivery.stop());
                  const bool last = result.unavailable;
                  delivery.publish(std::move(result));
                  if (last) { return; }
                }
              }) {}

void HardwareRunner::request(Requests requests) {
  first_ = requests.empty() ? std::string() : requests.front().file.id;
  worker_.request(std::move(requests));
}

std::string HardwareRunner::measuring() const {
  if (!worker_.running()) { return {}; }
  const std::string now = worker_.doing();
  return now.empty() ? first_ : now;
}

HardwareRunner::Measure measuringOnFirstGpu(measuring::GpuGate& gate) {
  return [&gate](const measuring::HardwareRequest& request, const std::stop_token& stop) {
    return measuring::measureHardware(gpu::Device::open(), gate, request, stop);
  };
}

}  // namespace haloscope
