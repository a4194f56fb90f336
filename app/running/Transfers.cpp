#include "running/Transfers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <string_view>

#include "language/Text.h"
#include "program/SourceLocation.h"
#include "running/CudaErrors.h"

namespace haloscope::running {

namespace {

/// Rows of an allocation as one range: what a copy or a fill touches from its first byte to its last.
std::uint64_t extentOf(std::uint64_t pitch, std::uint64_t width, std::uint64_t height) {
  return height == 0 ? 0 : (height - 1) * pitch + width;
}

/// Whether the range of some rows can be computed at all, and is at least as large as what is in it.
bool plausible(std::uint64_t pitch, std::uint64_t width, std::uint64_t height) {
  constexpr std::uint64_t kMax = std::uint64_t{1} << 40;
  if (width == 0 || height == 0) { return pitch < kMax; }
  return (pitch >= width || height == 1) && pitch < kMax && width < kMax && height < kMax &&
         (height == 0 || (pitch + width) < kMax / height);
}

std::string implausible(const char* call) {
  return trf("The size of this {} cannot be right: it is negative, or was never set.", call);
}

/// The child takes an address for the device's by its value alone.
bool looksLikeDevice(std::uint64_t address) { return address >> 47 != 0; }

void setFilled(Allocation& one, std::uint64_t end, const host::HostPlace& at) {
  if (end <= one.filled) { return; }
  one.filled = end;
  one.filledAt = at;
}

std::string pastStart(const DevicePlace& place) {
  return bytesText(static_cast<std::uint64_t>(std::max<std::int64_t>(0, place.offset)));
}

}  // namespace

/// The bytes of an allocation that a copy or a fill touches, or null after a finding. `verb`, `where`: "Copies", "to ";
/// or "from ", which reads them.
std::byte* Transfers::touched(const DevicePlace& place, std::uint64_t extent, const char* verb, const char* where,
                              const host::HostPlace& at) {
  Allocation& one = memory_.at(place.allocation);
  if (one.freed) {
    findings_.add(HostFindingKind::UsedAfterFree, at,
                  trf("{} {}memory that was freed at {}.", verb, where, placeText(one.freedAt)));
    return nullptr;
  }
  const auto size = static_cast<std::int64_t>(one.bytes.size());
  if (place.offset >= 0 && place.offset <= size && extent <= static_cast<std::uint64_t>(size - place.offset)) {
    const bool writes = std::string_view(where) != "from ";
    elements_.touched(place, extent, writes);
    if (writes && extent > 0) { setFilled(one, static_cast<std::uint64_t>(place.offset) + extent, at); }
    return one.bytes.data() + place.offset;
  }
  if (elements_.isTooSmall(one, place, extent)) { return nullptr; }
  const std::string behind = place.offset == 0 ? "" : trf(", from {} past its start", pastStart(place));
  findings_.add(HostFindingKind::CopySize, at,
                trf("{} {} {}memory that has {}{}; it was allocated at {}.", verb, bytesText(extent),
                    *where == 0 ? tr("of ") : where, bytesText(one.bytes.size()), behind, placeText(one.allocatedAt)));
  return nullptr;
}

bool Transfers::directionFits(host::CopyKind kind, const ProgramEvent& event) {
  const auto isHost = [&](const std::optional<DevicePlace>& place) {
    return !place || memory_.at(place->allocation).hostAddress != 0;
  };
  const auto onDevice = [&](const std::optional<DevicePlace>& place) {
    return place && memory_.at(place->allocation).memory != host::HostMemory::PageLocked;
  };
  struct Direction {
    bool toDevice, fromDevice;
    const char* name;
  };
  static constexpr std::array<Direction, 4> kDirections{{{false, false, "cudaMemcpyHostToHost"},
                                                         {true, false, "cudaMemcpyHostToDevice"},
                                                         {false, true, "cudaMemcpyDeviceToHost"},
                                                         {true, true, "cudaMemcpyDeviceToDevice"}}};
  if (kind == host::CopyKind::Default) { return true; }
  if (static_cast<std::size_t>(kind) >= kDirections.size()) { return false; }
  const Direction& stated = kDirections[static_cast<std::size_t>(kind)];
  const bool fits = (stated.toDevice ? onDevice(event.destination) : isHost(event.destination)) &&
                    (stated.fromDevice ? onDevice(event.source) : isHost(event.source));
  if (!fits) {
    const auto whose = [&](const std::optional<DevicePlace>& place) {
      return isHost(place) ? tr("the host") : tr("the device");
    };
    findings_.add(HostFindingKind::CopyDirection, event.at,
                  trf("The direction is {}, but the copy is from {} to {}.", stated.name, whose(event.source),
                      whose(event.destination)));
  }
  return fits;
}

std::vector<std::byte> Transfers::copy(const host::Copy& call, const HostRows& hostRows, ProgramEvent& event) {
  event.error = kInvalidValue;
  const auto refuse = [&](std::string message) -> std::vector<std::byte> {
    findings_.add(HostFindingKind::CopySize, event.at, std::move(message));
    return {};
  };
  if (!plausible(call.destinationPitch, call.width, call.height) ||
      !plausible(call.sourcePitch, call.width, call.height)) {
    return refuse(implausible(tr("copy")));
  }
  event.destination = memory_.find(call.destination);
  event.source = memory_.find(call.source);
  event.bytes = call.width * call.height;
  const bool toDevice = looksLikeDevice(call.destination);
  const bool fromDevice = looksLikeDevice(call.source);
  if ((toDevice && !event.destination) || (fromDevice && !event.source)) {
    return refuse(tr("Copies from or to an address that no allocation returned."));
  }
  const bool ofNull = call.destination == 0 || call.source == 0;
  if (ofNull && event.bytes > 0) {
    return refuse(trf("Copies {} a null pointer.", call.destination == 0 ? tr("to") : tr("from")));
  }
  if (!ofNull && !directionFits(call.kind, event)) { return {}; }
  if (event.bytes == 0) {
    event.error = kSuccess;
    return {};
  }
  std::byte* target = nullptr;
  const std::byte* origin = nullptr;
  if (toDevice) {
    target = touched(*event.destination, extentOf(call.destinationPitch, call.width, call.height), "Copies", tr("to "),
                     event.at);
    if (target == nullptr) { return {}; }
  }
  if (fromDevice) {
    origin =
        touched(*event.source, extentOf(call.sourcePitch, call.width, call.height), "Copies", tr("from "), event.at);
    if (origin == nullptr) { return {}; }
  }
  event.error = kSuccess;
  if (toDevice != fromDevice) {
    const DevicePlace& place = toDevice ? *event.destination : *event.source;
    const Allocation& one = memory_.at(place.allocation);
    if (call.height == 1) {
      elements_.checkCopy(one, place, call.width, toDevice, event.at);
    } else {
      elements_.checkRows(one, place, call, toDevice, event.at);
      notePitch(place, toDevice ? call.destinationPitch : call.sourcePitch, call.width);
    }
  }
  if (toDevice) {
    std::optional<std::vector<std::byte>> payload;
    if (!fromDevice) {
      payload = hostRows();
      if (!payload) { return {}; }
      if (payload->size() != event.bytes) { throw InputError(tr("the host process sent fewer bytes than it copies")); }
    }
    for (std::uint64_t y = 0; y < call.height; ++y) {
      const std::byte* const row = fromDevice ? origin + y * call.sourcePitch : payload->data() + y * call.width;
      std::memmove(target + y * call.destinationPitch, row, call.width);
    }
    return {};
  }
  if (!fromDevice) { return {}; }
  std::vector<std::byte> rows(event.bytes);
  for (std::uint64_t y = 0; y < call.height; ++y) {
    std::memcpy(rows.data() + y * call.width, origin + y * call.sourcePitch, call.width);
  }
  return rows;
}

void Transfers::notePitch(const DevicePlace& place, std::uint64_t pitch, std::uint64_t width) {
  Allocation& one = memory_.at(place.allocation);
  const bool known = place.offset == 0 && pitch > width;
  one.pitch = known ? pitch : 0;
  one.row = known ? width : 0;
}

void Transfers::fill(const host::Fill& call, ProgramEvent& event) {
  event.destination = memory_.find(call.address);
  event.bytes = call.width * call.height;
  event.error = kInvalidValue;
  const bool good = plausible(call.pitch, call.width, call.height);
  if (!good || !event.destination) {
    findings_.add(HostFindingKind::CopySize, event.at,
                  good ? tr("Fills memory at an address that no allocation returned.") : implausible(tr("fill")));
    return;
  }
  std::byte* target = nullptr;
  if (event.bytes > 0) {
    target = touched(*event.destination, extentOf(call.pitch, call.width, call.height), "Fills", "", event.at);
    if (target == nullptr) { return; }
  }
  event.error = kSuccess;
  if (event.bytes > 0 && call.height > 1) { notePitch(*event.destination, call.pitch, call.width); }
  for (std::uint64_t y = 0; event.bytes > 0 && y < call.height; ++y) {
    std::memset(target + y * call.pitch, call.value, call.width);
  }
}

std::span<const std::byte> Transfers::copySymbol(const host::SymbolCopy& call, std::span<const std::byte> payload,
                                                 ProgramEvent& event) {
  event.bytes = call.bytes;
  const Allocation* variable = memory_.variable(call.symbol, call.file);
  event.error = variable == nullptr ? kInvalidSymbol : kInvalidValue;
  if (variable == nullptr) { return {}; }
  const DevicePlace place{variable->id, static_cast<std::int64_t>(call.offset)};
  (call.toSymbol ? event.destination : event.source) = place;
  const bool good = plausible(call.offset, call.bytes, 1);
  if (!good) { findings_.add(HostFindingKind::CopySize, event.at, implausible(tr("copy"))); }
  std::byte* const bytes =
      good ? touched(place, call.bytes, "Copies", call.toSymbol ? tr("to ") : tr("from "), event.at) : nullptr;
  // A copy that is refused is a mistake of its own.
  if (bytes == nullptr && call.toSymbol) { setFilled(memory_.at(variable->id), variable->size, event.at); }
  if (bytes == nullptr || (call.toSymbol && payload.size() != call.bytes)) { return {}; }
  event.error = kSuccess;
  if (call.toSymbol) {
    std::ranges::copy(payload, bytes);
    return {};
  }
  return {bytes, call.bytes};
}

}  // namespace haloscope::running
