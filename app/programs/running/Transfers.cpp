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

/// Shorter rows are sent and received together.
constexpr std::uint64_t kGatheredBytes = std::uint64_t{1} << 16;

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

DeviceRows::DeviceRows(const std::byte* first, std::uint64_t pitch, std::uint64_t width, std::uint64_t height)
    : at_(first), pitch_(pitch), width_(width), height_(height) {}

std::span<const std::byte> DeviceRows::next() {
  if (height_ == 1 || pitch_ == width_) { return {at_, bytes()}; }
  if (width_ >= kGatheredBytes) { return {at_ + row_++ * pitch_, width_}; }
  const std::uint64_t rows = std::min(kGatheredBytes / width_, height_ - row_);
  gathered_.resize(rows * width_);
  for (std::uint64_t y = 0; y < rows; ++y) {
    std::memcpy(gathered_.data() + y * width_, at_ + row_++ * pitch_, width_);
  }
  return gathered_;
}

std::vector<std::byte> bytesOf(DeviceRows rows) {
  std::vector<std::byte> bytes;
  bytes.reserve(rows.bytes());
  while (bytes.size() < rows.bytes()) {
    const std::span<const std::byte> part = rows.next();
    bytes.insert(bytes.end(), part.begin(), part.end());
  }
  return bytes;
}

/// Whether what a copy or a fill touches is within its allocation; otherwise there is a finding, whose sentence begins
/// with `verb`: "Copies".
bool Transfers::reaches(const DevicePlace& place, std::uint64_t extent, const char* verb, Touch touch,
                        const host::HostPlace& at) {
  const char* const where = touch == Touch::Fills ? "" : touch == Touch::Writes ? tr("to ") : tr("from ");
  Allocation& one = memory_.at(place.allocation);
  if (one.freed) {
    findings_.add(HostFindingKind::UsedAfterFree, at,
                  trf("{} {}memory that was freed at {}.", verb, where, placeText(one.freedAt)));
    return false;
  }
  const auto size = static_cast<std::int64_t>(one.size);
  if (place.offset >= 0 && place.offset <= size && extent <= static_cast<std::uint64_t>(size - place.offset)) {
    const bool writes = touch != Touch::Reads;
    elements_.touched(place, extent, writes);
    if (writes && extent > 0) { setFilled(one, static_cast<std::uint64_t>(place.offset) + extent, at); }
    return true;
  }
  if (elements_.isTooSmall(one, place, extent)) { return false; }
  const std::string behind = place.offset == 0 ? "" : trf(", from {} past its start", pastStart(place));
  findings_.add(HostFindingKind::CopySize, at,
                trf("{} {} {}memory that has {}{}; it was allocated at {}.", verb, bytesText(extent),
                    *where == 0 ? tr("of ") : where, bytesText(one.size), behind, placeText(one.allocatedAt)));
  return false;
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

DeviceRows Transfers::copy(const host::Copy& call, const HostRows& hostRows, ProgramEvent& event) {
  event.error = kInvalidValue;
  const auto refuse = [&](std::string message) -> DeviceRows {
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
  // A library's routine reads and writes; that this is done by copies is not its caller's business.
  const char* const writes = call.ofLibrary ? "Writes" : "Copies";
  if (toDevice && !reaches(*event.destination, extentOf(call.destinationPitch, call.width, call.height), writes,
                           Touch::Writes, event.at)) {
    return {};
  }
  if (fromDevice && !reaches(*event.source, extentOf(call.sourcePitch, call.width, call.height),
                             call.ofLibrary ? "Reads" : "Copies", Touch::Reads, event.at)) {
    return {};
  }
  event.error = kSuccess;
  if (toDevice != fromDevice && !call.ofLibrary) {
    const DevicePlace& place = toDevice ? *event.destination : *event.source;
    const Allocation& one = memory_.at(place.allocation);
    if (call.height == 1) {
      elements_.checkCopy(one, place, call.width, toDevice, event.at);
    } else {
      elements_.checkRows(one, place, call, toDevice, event.at);
      notePitch(place, toDevice ? call.destinationPitch : call.sourcePitch, call.width);
    }
  }
  if (toDevice && !fromDevice) {
    if (!hostRows.ask(event.bytes)) { return {}; }
    Allocation& one = memory_.at(event.destination->allocation);
    if (one.bytes.empty() && one.size == event.bytes) {
      // All of it is written: it need not hold anything before.
      if (!hostRows.takeAll(one.bytes, event.bytes)) { one.bytes = {}; }
      return {};
    }
    takeRows(bytesAt(*event.destination), call, hostRows);
    return {};
  }
  if (!fromDevice) { return {}; }
  DeviceRows rows(bytesAt(*event.source), call.sourcePitch, call.width, call.height);
  if (!toDevice) { return rows; }
  std::byte* const target = bytesAt(*event.destination);
  for (std::uint64_t y = 0; y < call.height; ++y) {
    std::memmove(target + y * call.destinationPitch, bytesAt(*event.source) + y * call.sourcePitch, call.width);
  }
  return {};
}

void Transfers::takeRows(std::byte* target, const host::Copy& call, const HostRows& hostRows) {
  if (call.height == 1 || call.destinationPitch == call.width) {
    static_cast<void>(hostRows.take({target, call.width * call.height}));
    return;
  }
  std::vector<std::byte> part;
  const std::uint64_t most = std::max<std::uint64_t>(1, kGatheredBytes / call.width);
  for (std::uint64_t y = 0; y < call.height;) {
    const std::uint64_t rows = std::min(most, call.height - y);
    part.resize(rows * call.width);
    if (!hostRows.take(part)) { return; }
    for (std::uint64_t i = 0; i < rows; ++i, ++y) {
      std::memcpy(target + y * call.destinationPitch, part.data() + i * call.width, call.width);
    }
  }
}

std::byte* Transfers::bytesAt(const DevicePlace& place) {
  return memory_.bytesOf(place.allocation).data() + place.offset;
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
  if (event.bytes > 0 &&
      !reaches(*event.destination, extentOf(call.pitch, call.width, call.height), "Fills", Touch::Fills, event.at)) {
    return;
  }
  event.error = kSuccess;
  if (event.bytes == 0) { return; }
  if (call.height > 1) { notePitch(*event.destination, call.pitch, call.width); }
  std::byte* const target = bytesAt(*event.destination);
  for (std::uint64_t y = 0; y < call.height; ++y) { std::memset(target + y * call.pitch, call.value, call.width); }
}

std::span<const std::byte> Transfers::copySymbol(const host::SymbolCopy& call, const TakePart& take,
                                                 ProgramEvent& event) {
  event.bytes = call.bytes;
  const Allocation* variable = memory_.variable(call.symbol, call.file);
  event.error = variable == nullptr ? kInvalidSymbol : kInvalidValue;
  if (variable == nullptr) { return {}; }
  const DevicePlace place{variable->id, static_cast<std::int64_t>(call.offset)};
  (call.toSymbol ? event.destination : event.source) = place;
  const bool good = plausible(call.offset, call.bytes, 1);
  if (!good) { findings_.add(HostFindingKind::CopySize, event.at, implausible(tr("copy"))); }
  const bool possible =
      good && reaches(place, call.bytes, "Copies", call.toSymbol ? Touch::Writes : Touch::Reads, event.at);
  // A copy that is refused is a mistake of its own.
  if (!possible && call.toSymbol) { setFilled(memory_.at(variable->id), variable->size, event.at); }
  if (!possible) { return {}; }
  std::byte* const bytes = bytesAt(place);
  if (call.toSymbol && !take({bytes, call.bytes})) { return {}; }
  event.error = kSuccess;
  return call.toSymbol ? std::span<const std::byte>() : std::span<const std::byte>(bytes, call.bytes);
}

}  // namespace haloscope::running
