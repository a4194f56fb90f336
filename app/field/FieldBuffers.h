#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "gpu/Device.h"
#include "gpu/Event.h"
#include "gpu/Memory.h"
#include "gpu/SharedBuffer.h"
#include "render/FieldGrid.h"
#include "state/AppState.h"

namespace haloscope::field {

/// Where a field is kept while it is swept and drawn: one class, whatever computes it.
///
/// Kernels sweep from one array of the device to the other, in turns. What is drawn is a buffer of OpenGL's, into which
/// the newest field is copied when the sweeps of a frame have ended: with interop by the GPU itself; where that is
/// refused, through the host. Without a GPU, the emulator's arrays are uploaded.
///
/// Kernels do not work on OpenGL's buffer itself, though with interop they could. On an H200 a sweep of stencil/basic
/// at 512³ takes 0.87 ms there, and 0.64 ms on arrays of its own, as in the bench; and OpenGL would wait for a kernel
/// that never ends.
///
/// Make, use and destroy it on the thread with the OpenGL context.
class FieldBuffers {
 public:
  /// `device` may be null: no GPU. With `hostCopy`, interop is not even tried. Throws InputError naming the limit if
  /// OpenGL or the GPU has no room for the field, or cannot draw its element type.
  FieldBuffers(const render::FieldGrid& grid, const std::shared_ptr<const gpu::Device>& device, bool hostCopy = false);
  FieldBuffers(const FieldBuffers&) = delete;
  FieldBuffers& operator=(const FieldBuffers&) = delete;
  ~FieldBuffers();

  [[nodiscard]] const render::FieldGrid& grid() const { return grid_; }
  [[nodiscard]] FieldPath path() const { return path_; }
  /// Why not interop; empty with interop.
  [[nodiscard]] const std::string& reason() const { return reason_; }

  /// Sets the field: both arrays, so that points no kernel writes keep their value. Not while sweeps are running.
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

  /// GPU paths: what was queued between the arrays has ended, so that publish() can pass it on.
  void sweepsEnded() { swept_ = true; }
  [[nodiscard]] gpu::DeviceAddress input() const { return arrays_.at(newest_)->address(); }
  [[nodiscard]] gpu::DeviceAddress output() const { return arrays_.at(1 - newest_)->address(); }
  /// After each sweep: its output is the field now.
  void swap() { newest_ = 1 - newest_; }
  /// GPU paths: with interop, queues the copy to what is drawn; OpenGL waits for it on the GPU. Else hands what has
  /// arrived from the device to OpenGL, and queues the next copy if the field has been swept since and copies do not
  /// take too much of the time. Never waits. True if shown() has changed. Throws gpu::Error.
  bool publish(const gpu::Stream& stream);
  /// True while shown() lags behind the field.
  [[nodiscard]] bool lags() const { return underway_ || swept_; }

  /// OpenGL's shader storage buffer with the newest field there is to draw.
  [[nodiscard]] std::uint32_t shown() const { return buffer_; }
  /// One value of it; waits for the GPU.
  [[nodiscard]] double valueAt(const std::array<std::int64_t, 3>& at) const;
  /// All of it; waits. For tests and for keeping a field when the path changes.
  void read(std::span<std::byte> values) const;

 private:
  void useDeviceArrays(const std::shared_ptr<const gpu::Device>& device);
  void tryInterop(bool hostCopy);
  void useHostCopy();
  void store(std::size_t offset, std::span<const std::byte> values) const;
  void copyToShown(const gpu::Stream& stream);

  render::FieldGrid grid_;
  FieldPath path_ = FieldPath::Emulator;
  std::string reason_;
  std::uint32_t buffer_ = 0;  ///< OpenGL's

  // GPU paths.
  std::shared_ptr<const gpu::Device> device_;
  std::array<std::unique_ptr<gpu::DeviceMemory>, 2> arrays_;
  std::size_t newest_ = 0;
  bool swept_ = false;                         ///< since the last copy was queued
  std::unique_ptr<gpu::SharedBuffer> shared_;  ///< interop: buffer_

  // Host copy.
  std::unique_ptr<gpu::PinnedMemory> landing_;
  std::optional<gpu::Event> landed_;
  bool underway_ = false;  ///< a copy to the host has been queued and not yet been handed on
  double publishSeconds_ = 0, lastPublish_ = 0;
};

}  // namespace haloscope::field
