#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "gpu/Kernel.h"
#include "gpu/Memory.h"
#include "program/BlockLog.h"
#include "program/Launch.h"

namespace haloscope::gpu {

/// Runs an instrumented kernel and fetches what the threads of one block wrote. Not for use in a frame.
class BlockLogger {
 public:
  /// Words of a log: memory of its own, or somebody else's, such as a buffer that OpenGL draws from.
  struct Words {
    DeviceAddress address = 0;
    std::size_t bytes = 0;
  };

  /// `text` is frontend::instrument's. Compiles it. Throws Unavailable, CompileError, Error.
  BlockLogger(const Clearance& clearance, std::shared_ptr<const Device> device, const KernelText& text,
              const Program& program);

  /// Launches the whole grid; `block` writes. The log's capacity is what `words` has room for; counts tell if that was
  /// enough. Waits. Throws Error, InputError.
  [[nodiscard]] BlockLog run(const Program& program, const Launch& launch, const Dim3& block, const Words& words);
  /// As above, with memory of its own, in which there is room for everything. Throws InputError where a thread's log
  /// does not fit into `kMostBytes` of all.
  [[nodiscard]] BlockLog run(const Program& program, const Launch& launch, const Dim3& block);

  static constexpr std::size_t kMostBytes = std::size_t{512} << 20;

  /// Milliseconds of the last run's launch.
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
