#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "host/HostMessages.h"
#include "running/DeviceMemory.h"
#include "running/ElementsAsBytes.h"
#include "running/HostFindings.h"
#include "running/ProgramRun.h"

namespace haloscope::running {

/// What the host does with the device's memory: copies and fills. Each call is a ProgramEvent, whose place names it
/// in findings, and which gets what the call touches and the error that it returns.
class Transfers {
 public:
  Transfers(DeviceMemory& memory, HostFindings& findings) : memory_(memory), findings_(findings), elements_(findings) {}

  /// The rows that are copied, from the host; none if it cannot give them. Asked for when they have a place.
  using HostRows = std::function<std::optional<std::vector<std::byte>>()>;
  /// Returns the rows that the host gets. Throws InputError for rows of another size than the call says.
  std::vector<std::byte> copy(const host::Copy& call, const HostRows& hostRows, ProgramEvent& event);
  void fill(const host::Fill& call, ProgramEvent& event);
  /// Returns the bytes that the host gets.
  std::span<const std::byte> copySymbol(const host::SymbolCopy& call, std::span<const std::byte> payload,
                                        ProgramEvent& event);

  [[nodiscard]] ElementsAsBytes& elements() { return elements_; }

 private:
  std::byte* touched(const DevicePlace& place, std::uint64_t extent, const char* verb, const char* where,
                     const host::HostPlace& at);
  /// Rows of an array of the device are copied or filled.
  void notePitch(const DevicePlace& place, std::uint64_t pitch, std::uint64_t width);
  bool directionFits(host::CopyKind kind, const ProgramEvent& event);

  DeviceMemory& memory_;
  HostFindings& findings_;
  ElementsAsBytes elements_;
};

}  // namespace haloscope::running
