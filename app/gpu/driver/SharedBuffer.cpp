#include "driver/SharedBuffer.h"

#include <fmt/format.h>

#include <array>

#include "driver/Driver.h"
#include "language/Text.h"

namespace haloscope::gpu {

std::string SharedBuffer::refusal(const Device& device) {
  const Driver& driver = device.driver();
  if (driver.graphicsGLRegisterBuffer == nullptr || driver.graphicsMapResources == nullptr ||
      driver.graphicsUnmapResources == nullptr || driver.graphicsUnregisterResource == nullptr ||
      driver.graphicsResourceGetMappedPointer == nullptr || driver.glGetDevices == nullptr) {
    return tr("the driver has no OpenGL interop");
  }
  if (!device.tryMakeCurrent()) { return tr("the GPU's context is gone"); }
  std::array<Driver::Device, 16> devices{};
  unsigned count = 0;
  const Driver::Result result =
      driver.glGetDevices(&count, devices.data(), static_cast<unsigned>(devices.size()), Driver::kGlDevicesAll);
  constexpr Driver::Result kNoDevice = 100;
  if (result == kNoDevice || (result == Driver::kSuccess && count == 0)) {
    return tr("OpenGL does not run on a CUDA GPU");
  }
  if (result != Driver::kSuccess) { return {}; }  // not conclusive; registering a buffer will be
  for (unsigned i = 0; i < count; ++i) {
    if (devices.at(i) == device.handle()) { return {}; }
  }
  return trf("OpenGL runs on a different GPU than {}", device.properties().name);
}

SharedBuffer::SharedBuffer(std::shared_ptr<const Device> device, unsigned glBuffer) : device_(std::move(device)) {
  const Driver& driver = device_->driver();
  device_->makeCurrent();
  driver.check(driver.graphicsGLRegisterBuffer(&resource_, glBuffer, 0), "cuGraphicsGLRegisterBuffer");
}

SharedBuffer::~SharedBuffer() {
  const Driver& driver = device_->driver();
  if (!device_->tryMakeCurrent()) { return; }
  if (mapped_) { (void)driver.graphicsUnmapResources(1, &resource_, nullptr); }
  (void)driver.graphicsUnregisterResource(resource_);
}

DeviceAddress SharedBuffer::map(const Stream& stream) {
  const Driver& driver = device_->driver();
  device_->makeCurrent();
  driver.check(driver.graphicsMapResources(1, &resource_, stream.handle()), "cuGraphicsMapResources");
  mapped_ = true;
  Driver::Address address = 0;
  std::size_t bytes = 0;
  driver.check(driver.graphicsResourceGetMappedPointer(&address, &bytes, resource_),
               "cuGraphicsResourceGetMappedPointer");
  return address;
}

void SharedBuffer::unmap(const Stream& stream) {
  const Driver& driver = device_->driver();
  device_->makeCurrent();
  mapped_ = false;
  driver.check(driver.graphicsUnmapResources(1, &resource_, stream.handle()), "cuGraphicsUnmapResources");
}

}  // namespace haloscope::gpu
