#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "host/HostMessages.h"
#include "running/DeviceMemory.h"
#include "running/ElementsAsBytes.h"
#include "running/HostFindings.h"
#include "running/ProgramRun.h"

namespace haloscope::running {

/// Rows of the device's memory, one after the other, while nothing changes there.
class DeviceRows {
 public:
  DeviceRows() = default;
  DeviceRows(const std::byte* first, std::uint64_t pitch, std::uint64_t width, std::uint64_t height);

  [[nodiscard]] std::uint64_t bytes() const { return width_ * height_; }
  /// The next part, valid until the next call; all together are bytes().
  std::span<const std::byte> next();

 private:
  const std::byte* at_ = nullptr;
  std::uint64_t pitch_ = 0, width_ = 0, height_ = 0;
  std::uint64_t row_ = 0;            ///< the next one
  std::vector<std::byte> gathered_;  ///< short rows
};

/// All of them together.
[[nodiscard]] std::vector<std::byte> bytesOf(DeviceRows rows);

/// What the host does with the device's memory: copies and fills. Each call is a ProgramEvent, whose place names it
/// in findings, and which gets what the call touches and the error that it returns.
class Transfers {
 public:
  Transfers(DeviceMemory& memory, HostFindings& findings) : memory_(memory), findings_(findings), elements_(findings) {}

  /// Bytes of the host are written there. False if they do not come.
  using TakePart = std::function<bool(std::span<std::byte> part)>;
  /// The rows that are copied, from the host: asked for when they have a place, then taken part by part. What returns
  /// false has ended.
  struct HostRows {
    std::function<bool(std::uint64_t bytes)> ask;
    TakePart take;
    std::function<bool(std::vector<std::byte>& bytes, std::uint64_t count)> takeAll;  ///< as the contents of `bytes`
  };
  /// Returns the rows that the host gets.
  DeviceRows copy(const host::Copy& call, const HostRows& hostRows, ProgramEvent& event);
  void fill(const host::Fill& call, ProgramEvent& event);
  /// Returns the bytes that the host gets.
  std::span<const std::byte> copySymbol(const host::SymbolCopy& call, const TakePart& take, ProgramEvent& event);

  [[nodiscard]] ElementsAsBytes& elements() { return elements_; }

 private:
  /// The rows of the host, written to the device.
  void takeRows(std::byte* target, const host::Copy& call, const HostRows& hostRows);
  std::byte* bytesAt(const DevicePlace& place);
  enum class Touch : std::uint8_t { Fills, Writes, Reads };
  bool reaches(const DevicePlace& place, std::uint64_t extent, const char* verb, Touch touch,
               const host::HostPlace& at);
  /// Rows of an array of the device are copied or filled.
  void notePitch(const DevicePlace& place, std::uint64_t pitch, std::uint64_t width);
  bool directionFits(host::CopyKind kind, const ProgramEvent& event);

  DeviceMemory& memory_;
  HostFindings& findings_;
  ElementsAsBytes elements_;
};

}  // namespace haloscope::running
