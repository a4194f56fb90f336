#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "AppState.h"
#include "gpu/Device.h"
#include "gpu/Event.h"
#include "gpu/Memory.h"
#include "gpu/SharedBuffer.h"
#include "render/FieldGrid.h"

namespace haloscope::render {

/// Where a field is kept while it is swept and drawn: one class, whatever computes it.
///
/// Sweeps go from one buffer to the other, in turns. With interop both are OpenGL buffers that kernels read and write
/// in place and that are drawn from: nothing is copied. Where interop is refused, kernels work on arrays of the device
/// and the newest is copied through the host. Without a GPU, the emulator's arrays are uploaded.
///
/// Make, use and destroy it on the thread with the OpenGL context.
class FieldBuffers {
 public:
  /// `device` may be null: no GPU. With `hostCopy`, interop is not even tried. Throws InputError naming the limit if
  /// OpenGL or the GPU has no room for the field, or cannot draw its element type.
  FieldBuffers(const FieldGrid& grid, const std::shared_ptr<const gpu::Device>& device, bool hostCopy = false);
  FieldBuffers(const FieldBuffers&) = delete;
  FieldBuffers& operator=(const FieldBuffers&) = delete;
  ~FieldBuffers();

  [[nodiscard]] const FieldGrid& grid() const { return grid_; }
  [[nodiscard]] FieldPath path() const { return path_; }
  /// Why not interop; empty with interop.
  [[nodiscard]] const std::string& reason() const { return reason_; }

  /// Sets the field: both buffers, so that points no kernel writes keep their value. Not between beginSweeps() and
  /// endSweeps(), nor while sweeps are running.
  void fill(std::span<const std::byte> values);
  /// The same in parts, for a large field, whose upload would hold up a frame: parts from front to back, then
  /// finishFill(), before which the field must be neither swept nor shown.
  void fillPart(std::size_t offset, std::span<const std::byte> values);
  void finishFill();
  /// Makes the buffer of the next output equal to the field: for a new kernel, which may write fewer points than the
  /// last.
  void equalise();
  /// Emulator: the field as computed on the processor.
  void show(std::span<const std::byte> values);

  /// GPU paths: between these two calls the arrays belong to the kernels queued on `stream`. With interop OpenGL waits
  /// for what is queued when they end, so end them when nothing is. Throws gpu::Error.
  void beginSweeps(const gpu::Stream& stream);
  void endSweeps(const gpu::Stream& stream);
  /// Instead of endSweeps(), where they may never end: OpenGL's buffers are left to the end of the process. A kernel
  /// would write into whatever OpenGL put there next.
  void abandon();
  [[nodiscard]] gpu::DeviceAddress input() const { return addresses_[newest_]; }
  [[nodiscard]] gpu::DeviceAddress output() const { return addresses_[1 - newest_]; }
  /// After each sweep: its output is the field now.
  void swap() { newest_ = 1 - newest_; }
  /// Host copy: hands what has arrived from the device to OpenGL, and queues the next copy if the field has been swept
  /// since and copies do not take too much of the time. Never waits. True if shown() has changed.
  bool publish(const gpu::Stream& stream);
  /// True while shown() lags behind the field.
  [[nodiscard]] bool lags() const { return underway_ || swept_; }

  /// OpenGL's shader storage buffer with the newest field there is to draw.
  [[nodiscard]] std::uint32_t shown() const;
  /// One value of it; waits for the GPU. Only for F32.
  [[nodiscard]] float valueAt(const std::array<std::int64_t, 3>& at) const;
  /// All of it; waits. For tests and for keeping a field when the path changes.
  void read(std::span<std::byte> values) const;

 private:
  void tryInterop(const std::shared_ptr<const gpu::Device>& device, bool hostCopy);
  void useDeviceArrays(const std::shared_ptr<const gpu::Device>& device);
  void store(std::size_t offset, std::span<const std::byte> values) const;

  FieldGrid grid_;
  FieldPath path_ = FieldPath::Emulator;
  std::string reason_;
  std::array<std::uint32_t, 2> buffers_{};  ///< OpenGL; the second only with interop
  std::size_t newest_ = 0;
  std::array<gpu::DeviceAddress, 2> addresses_{};

  std::array<std::unique_ptr<gpu::SharedBuffer>, 2> shared_;  ///< interop

  // Host copy.
  std::shared_ptr<const gpu::Device> device_;
  std::array<std::unique_ptr<gpu::DeviceMemory>, 2> arrays_;
  std::unique_ptr<gpu::PinnedMemory> landing_;
  std::optional<gpu::Event> landed_;
  bool swept_ = false;     ///< since the last copy to the host was queued
  bool underway_ = false;  ///< a copy to the host has been queued and not yet been handed on
  double publishSeconds_ = 0, lastPublish_ = 0;
};

}  // namespace haloscope::render
