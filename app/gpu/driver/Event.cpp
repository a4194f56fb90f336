#include "driver/Event.h"

#include "driver/Driver.h"
#include "language/Text.h"

namespace haloscope::gpu {

Event::Event(std::shared_ptr<const Device> device) : device_(std::move(device)) {
  device_->makeCurrent();
  const Driver& driver = device_->driver();
  driver.check(driver.eventCreate(&handle_, 0), "cuEventCreate");
}

Event::~Event() {
  if (device_->tryMakeCurrent()) { (void)device_->driver().eventDestroy(handle_); }
}

void Event::record(const Stream& stream) {
  const Driver& driver = device_->driver();
  driver.check(driver.eventRecord(handle_, stream.handle()), "cuEventRecord");
}

bool Event::passed() const {
  const Driver& driver = device_->driver();
  const Driver::Result result = driver.eventQuery(handle_);
  if (result == Driver::kNotReady) { return false; }
  driver.check(result, tr("the GPU, running a kernel"));
  return true;
}

double Event::millisecondsSince(const Event& begin) const {
  const Driver& driver = device_->driver();
  float milliseconds = 0;
  driver.check(driver.eventElapsedTime(&milliseconds, begin.handle_, handle_), "cuEventElapsedTime");
  return static_cast<double>(milliseconds);
}

}  // namespace haloscope::gpu
