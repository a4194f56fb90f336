#include "driver/Memory.h"

#include <fmt/format.h>

#include "driver/Driver.h"
#include "language/Text.h"

namespace haloscope::gpu {

DeviceMemory::DeviceMemory(std::shared_ptr<const Device> device, std::size_t bytes)
    : device_(std::move(device)), bytes_(bytes) {
  const Driver& driver = device_->driver();
  const std::uint64_t free = device_->freeBytes();
  Driver::Address address = 0;
  driver.check(driver.memAlloc(&address, bytes),
               trf("cuMemAlloc of {} MiB ({} MiB are free)", bytes >> 20U, free >> 20U));
  address_ = address;
}

DeviceMemory::~DeviceMemory() {
  if (device_->tryMakeCurrent()) { (void)device_->driver().memFree(address_); }
}

void DeviceMemory::upload(std::span<const std::byte> host, std::size_t offset) {
  if (offset + host.size() > bytes_) {
    throw InputError(trf("{} bytes from {} on do not fit into {}", host.size(), offset, bytes_));
  }
  const Driver& driver = device_->driver();
  device_->makeCurrent();
  driver.check(driver.memcpyHtoD(address_ + offset, host.data(), host.size()), "cuMemcpyHtoD");
  // A copy from pageable memory may still be in progress, and these streams do not synchronise with it.
  driver.check(driver.streamSynchronize(nullptr), "cuStreamSynchronize");
}

void DeviceMemory::download(std::span<std::byte> host) const {
  if (host.size() > bytes_) { throw InputError(trf("{} bytes are asked of {}", host.size(), bytes_)); }
  const Driver& driver = device_->driver();
  device_->makeCurrent();
  driver.check(driver.memcpyDtoH(host.data(), address_, host.size()), "cuMemcpyDtoH");
}

PinnedMemory::PinnedMemory(std::shared_ptr<const Device> device, std::size_t bytes)
    : device_(std::move(device)), size_(bytes) {
  const Driver& driver = device_->driver();
  device_->makeCurrent();
  void* data = nullptr;
  driver.check(driver.memHostAlloc(&data, bytes, 0), trf("cuMemHostAlloc of {} MiB", bytes >> 20U));
  data_ = static_cast<std::byte*>(data);
}

PinnedMemory::~PinnedMemory() {
  if (device_->tryMakeCurrent()) { (void)device_->driver().memFreeHost(data_); }
}

void clearAsync(const Stream& stream, DeviceAddress to, std::size_t bytes) {
  const Driver& driver = stream.device()->driver();
  stream.device()->makeCurrent();
  driver.check(driver.memsetD8Async(to, 0, bytes, stream.handle()), "cuMemsetD8Async");
}

void copyAsync(const Stream& stream, DeviceAddress to, DeviceAddress from, std::size_t bytes) {
  const Driver& driver = stream.device()->driver();
  stream.device()->makeCurrent();
  driver.check(driver.memcpyDtoDAsync(to, from, bytes, stream.handle()), "cuMemcpyDtoDAsync");
}

void downloadAsync(const Stream& stream, std::span<std::byte> host, DeviceAddress from) {
  const Driver& driver = stream.device()->driver();
  stream.device()->makeCurrent();
  driver.check(driver.memcpyDtoHAsync(host.data(), from, host.size(), stream.handle()), "cuMemcpyDtoHAsync");
}

}  // namespace haloscope::gpu
