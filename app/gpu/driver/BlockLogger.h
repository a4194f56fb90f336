#pragma once

#include <memory>
#include <optional>

#include "driver/Kernel.h"
#include "driver/Memory.h"
#include "program/BlockLog.h"
#include "program/Launch.h"

namespace haloscope::gpu {

/// Runs an instrumented kernel and fetches the log of one block's threads. Not for use in a frame.
class BlockLogger {
 public:
  /// The log's storage: owned, or external such as a buffer that OpenGL draws from.
  struct Words {
    DeviceAddress address = 0;
    std::size_t bytes = 0;
  };

  /// Compiles `text`, the output of frontend::instrument. Throws Unavailable, NvrtcError, Error.
  BlockLogger(const Clearance& clearance, std::shared_ptr<const Device> device, const KernelText& text,
              const Program& program);

  /// Launches the whole grid; `block` writes its log to `words`, as far as there is room; the counts show whether it
  /// was enough. Waits. Throws Error, InputError.
  [[nodiscard]] BlockLog run(const Program& program, const Launch& launch, const Dim3& block, const Words& words);
  /// As above, with owned memory that is large enough. Throws InputError if the logs exceed `kMostBytes`.
  [[nodiscard]] BlockLog run(const Program& program, const Launch& launch, const Dim3& block);

  static constexpr std::size_t kMostBytes = std::size_t{512} << 20;

  /// Duration of the last launch, milliseconds.
  [[nodiscard]] double milliseconds() const { return milliseconds_; }

 private:
  std::shared_ptr<const Device> device_;
  Kernel kernel_;
  Stream stream_;
  std::optional<DeviceMemory> counts_;
  std::optional<DeviceMemory> own_;
  std::optional<PinnedMemory> host_;
  double milliseconds_ = 0;
};

}  // namespace haloscope::gpu
