#pragma once

#include <memory>
#include <string>

#include "driver/Kernel.h"

struct CUgraphicsResource_st;

namespace haloscope::gpu {

/// An OpenGL buffer object that kernels read and write in place, so that results are drawn without a copy.
///
/// Create, map, unmap and destroy it on the thread with the current OpenGL context. Between map and unmap the buffer
/// belongs to CUDA; OpenGL must not use it.
class SharedBuffer {
 public:
  /// Why this OpenGL context cannot share buffers with `device` (it runs on a different GPU, or in software); if empty,
  /// try the constructor. Never throws.
  [[nodiscard]] static std::string refusal(const Device& device);

  /// Registers the buffer with the driver. Throws Error (usually 304 or 999) if OpenGL runs elsewhere, as under WSL or
  /// VirtualGL, or on laptops whose window is on the other GPU: fall back to copies through the host.
  SharedBuffer(std::shared_ptr<const Device> device, unsigned glBuffer);
  SharedBuffer(const SharedBuffer&) = delete;
  SharedBuffer& operator=(const SharedBuffer&) = delete;
  ~SharedBuffer();

  /// Hands the buffer to CUDA for work queued on `stream` from now on, after OpenGL's earlier work on it. Throws Error.
  DeviceAddress map(const Stream& stream);
  /// Hands it back to OpenGL, whose later draws wait on the GPU for `stream`. Throws Error.
  void unmap(const Stream& stream);
  [[nodiscard]] bool mapped() const { return mapped_; }

 private:
  std::shared_ptr<const Device> device_;
  CUgraphicsResource_st* resource_ = nullptr;
  bool mapped_ = false;
};

}  // namespace haloscope::gpu
