#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "driver/Kernel.h"

namespace haloscope::gpu {

/// An allocation on the device.
class DeviceMemory {
 public:
  /// Throws Error with the requested and the free amount.
  DeviceMemory(std::shared_ptr<const Device> device, std::size_t bytes);
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;
  ~DeviceMemory();

  [[nodiscard]] DeviceAddress address() const { return address_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  /// Both wait for the copy. Throw Error, and InputError if `host` exceeds the allocation. `offset` in bytes.
  void upload(std::span<const std::byte> host, std::size_t offset = 0);
  void download(std::span<std::byte> host) const;

 private:
  std::shared_ptr<const Device> device_;
  DeviceAddress address_ = 0;
  std::size_t bytes_ = 0;
};

/// Page-locked host memory, needed for asynchronous copies.
class PinnedMemory {
 public:
  PinnedMemory(std::shared_ptr<const Device> device, std::size_t bytes);
  PinnedMemory(const PinnedMemory&) = delete;
  PinnedMemory& operator=(const PinnedMemory&) = delete;
  ~PinnedMemory();

  [[nodiscard]] std::span<std::byte> bytes() const { return {data_, size_}; }

 private:
  std::shared_ptr<const Device> device_;
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

/// Queues filling memory with zeros; never waits.
void clearAsync(const Stream& stream, DeviceAddress to, std::size_t bytes);

/// Queue copies; never wait, provided that `host` is in PinnedMemory.
void copyAsync(const Stream& stream, DeviceAddress to, DeviceAddress from, std::size_t bytes);
void downloadAsync(const Stream& stream, std::span<std::byte> host, DeviceAddress from);

}  // namespace haloscope::gpu
