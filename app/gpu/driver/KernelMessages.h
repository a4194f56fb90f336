#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <variant>
#include <vector>

/// The messages between KernelProcess and the child process that it starts: each is one CBOR value in one packet.
namespace haloscope::gpu {

/// File descriptors that the child process inherits.
inline constexpr int kSocketFile = 3, kJobFile = 4, kArraysFile = 5, kFieldFile = 6;
/// A longer packet is no message; an error message is cut so that it fits.
inline constexpr std::size_t kMaxPacketBytes = std::size_t{16} << 10;
/// Of the sweeps of one request: the times of the last ones are returned.
inline constexpr std::size_t kMaxSweepTimes = 64;

/// Upload the shared field again.
struct ReplaceField {};
/// Run that many sweeps, or the launch of a job without sweeps.
struct RunSweeps {
  int count = 0;
};
using KernelRequest = std::variant<ReplaceField, RunSweeps>;

/// The kernel is compiled and loaded.
struct KernelReady {
  std::string gpuName;
};
/// The requested sweeps have finished.
struct SweepsDone {
  std::vector<double> milliseconds;  ///< of the last sweeps, at most kMaxSweepTimes
};
struct KernelFailed {
  std::string message;
};
using KernelReply = std::variant<KernelReady, SweepsDone, KernelFailed>;

[[nodiscard]] std::vector<std::byte> encode(const KernelRequest& request);
[[nodiscard]] std::vector<std::byte> encode(const KernelReply& reply);
/// Throw InputError if the packet is not such a message.
[[nodiscard]] KernelRequest decodeRequest(std::span<const std::byte> packet);
[[nodiscard]] KernelReply decodeReply(std::span<const std::byte> packet);

}  // namespace haloscope::gpu
