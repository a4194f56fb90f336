#pragma once

#include <memory>
#include <string>

#include "gpu/Kernel.h"

struct CUgraphicsResource_st;

namespace haloscope::gpu {

/// An OpenGL buffer object that kernels read and write in place: what they compute is drawn without a copy.
///
/// Make, map, unmap and destroy it on the thread that has the OpenGL context, while that context is current. Between
/// map and unmap the buffer belongs to CUDA; OpenGL must not touch it.
class SharedBuffer {
 public:
  /// Why this OpenGL context is known not to share buffers with `device` (it draws on another GPU, or in software), or
  /// an empty string: then the constructor decides. Never throws.
  [[nodiscard]] static std::string refusal(const Device& device);

  /// Registers the buffer with the driver, which fails where OpenGL runs elsewhere: under WSL, VirtualGL, on laptops
  /// whose window is on the other GPU. Throws Error (304 and 999 are the usual ones): fall back to copies through the
  /// host.
  SharedBuffer(std::shared_ptr<const Device> device, unsigned glBuffer);
  SharedBuffer(const SharedBuffer&) = delete;
  SharedBuffer& operator=(const SharedBuffer&) = delete;
  ~SharedBuffer();

  /// Gives the buffer to CUDA for what is queued on `stream` from now on; OpenGL's earlier work on it is done by then.
  /// Throws Error.
  DeviceAddress map(const Stream& stream);
  /// Gives it back to OpenGL: what OpenGL draws from now on waits, on the GPU, for `stream`. Throws Error.
  void unmap(const Stream& stream);
  [[nodiscard]] bool mapped() const { return mapped_; }

 private:
  std::shared_ptr<const Device> device_;
  CUgraphicsResource_st* resource_ = nullptr;
  bool mapped_ = false;
};

}  // namespace haloscope::gpu
