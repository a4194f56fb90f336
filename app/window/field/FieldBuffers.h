#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "driver/Device.h"
#include "driver/Event.h"
#include "driver/Memory.h"
#include "driver/SharedBuffer.h"
#include "field/FieldPreparation.h"
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
  FieldBuffers(const render::FieldGrid& grid, const std::shared_ptr<const gpu::Device>& device, bool hostCopy = false,
               const FieldArrays& arrays = {});
  FieldBuffers(const FieldBuffers&) = delete;
  FieldBuffers& operator=(const FieldBuffers&) = delete;
  ~FieldBuffers();

  [[nodiscard]] const render::FieldGrid& grid() const { return grid_; }
  [[nodiscard]] FieldPath path() const { return path_; }
  /// Why not interop; empty with interop.
  [[nodiscard]] const std::string& reason() const { return reason_; }

  /// Sets what is drawn. For tests.
  void fill(std::span<const std::byte> values) { show(values); }
  /// Sets so many bytes of all arrays, for a large field, whose upload would hold up a frame: parts from front to back,
  /// then finishFill(), before which the field must be neither swept nor shown. Not while sweeps are running.
  void fillPart(std::size_t offset, std::size_t bytes, const FieldValues& values);
  void finishFill();
  /// Gives arrays that begin with the values of another one (FieldArrays::copies) these values: for a new kernel, which
  /// may write fewer points than the last.
  void equalise();
  /// GPU paths: overwrites a part of an array; waits. Not while sweeps are running.
  void write(std::size_t place, std::size_t offset, std::span<const std::byte> bytes);
  /// Emulator: the field as computed on the processor.
  void show(std::span<const std::byte> values);

  /// GPU paths: what was queued between the arrays has ended, so that publish() can pass it on.
  void sweepsEnded() { swept_ = true; }
  /// Of each array, by its place.
  [[nodiscard]] std::vector<gpu::DeviceAddress> addresses() const;
  /// After each sweep: arrays get the values of their successors.
  void advance();
  /// GPU paths: with interop, queues the copy to what is drawn; OpenGL waits for it on the GPU. Else hands what has
  /// arrived from the device to OpenGL, and queues the next copy if the field has been swept since and copies do not
  /// take too much of the time. Never waits. True if shown() has changed. Throws gpu::Error.
  bool publish(const gpu::Stream& stream);
  /// True while shown() lags behind the field.
  [[nodiscard]] bool lags() const { return underway_ || swept_; }

  /// GPU paths: an array's values; waits. Not while sweeps are running.
  [[nodiscard]] std::vector<std::byte> values(std::size_t place) const;

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
  [[nodiscard]] gpu::DeviceAddress newest() const { return arrays_.at(layout_.shown)->address(); }
  void copyToShown(const gpu::Stream& stream);

  render::FieldGrid grid_;
  FieldPath path_ = FieldPath::Emulator;
  std::string reason_;
  std::uint32_t buffer_ = 0;  ///< OpenGL's

  // GPU paths.
  std::shared_ptr<const gpu::Device> device_;
  FieldArrays layout_;
  std::vector<std::unique_ptr<gpu::DeviceMemory>> arrays_;  ///< by place, as they are now
  bool swept_ = false;                                      ///< since the last copy was queued
  std::unique_ptr<gpu::SharedBuffer> shared_;               ///< interop: buffer_

  // Host copy.
  std::unique_ptr<gpu::PinnedMemory> landing_;
  std::optional<gpu::Event> landed_;
  bool underway_ = false;  ///< a copy to the host has been queued and not yet been handed on
  double publishSeconds_ = 0, lastPublish_ = 0;
};

}  // namespace haloscope::field
