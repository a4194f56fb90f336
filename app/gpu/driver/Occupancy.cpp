#include "driver/Occupancy.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

namespace haloscope::gpu {

namespace {

constexpr int kWarp = 32;
constexpr int kRegisterUnit = 256;  // a warp is given registers in such portions
constexpr int kSubpartitions = 4;   // of a multiprocessor: each has a quarter of the registers, for its own warps

struct Row {
  int capability;  // 90 for 9.0
  MultiprocessorLimits limits;
};
constexpr int kRegisters = 65536;
constexpr std::array kTable = {
    Row{70, {2048, 32, kRegisters, 96 * 1024, 0, 256}}, Row{75, {1024, 16, kRegisters, 64 * 1024, 0, 256}},
    Row{80, {2048, 32, kRegisters, 164 * 1024, 1024}},  Row{86, {1536, 16, kRegisters, 100 * 1024, 1024}},
    Row{87, {1536, 16, kRegisters, 164 * 1024, 1024}},  Row{89, {1536, 24, kRegisters, 100 * 1024, 1024}},
    Row{90, {2048, 32, kRegisters, 228 * 1024, 1024}},  Row{100, {2048, 32, kRegisters, 228 * 1024, 1024}},
    Row{103, {2048, 32, kRegisters, 228 * 1024, 1024}}, Row{110, {1536, 24, kRegisters, 228 * 1024, 1024}},
    Row{120, {1536, 24, kRegisters, 100 * 1024, 1024}},
};

int upTo(std::int64_t value, int unit) { return static_cast<int>((value + unit - 1) / unit * unit); }

}  // namespace

int MultiprocessorLimits::registersAtFullOccupancy() const { return registers / threads / 8 * 8; }

std::optional<MultiprocessorLimits> limitsOf(const std::string& computeCapability) {
  int major = 0;
  int minor = 0;
  const char* const end = computeCapability.data() + computeCapability.size();
  const auto [dot, error] = std::from_chars(computeCapability.data(), end, major);
  if (error != std::errc() || dot == end || std::from_chars(dot + 1, end, minor).ec != std::errc()) { return {}; }
  std::optional<MultiprocessorLimits> found;
  for (const Row& row : kTable) {
    if (row.capability / 10 == major && row.capability <= major * 10 + minor) { found = row.limits; }
  }
  return found;
}

Occupancy occupancyOf(const MultiprocessorLimits& limits, int threadsPerBlock, int registersPerThread,
                      std::int64_t sharedBytes) {
  const int warps = upTo(std::max(threadsPerBlock, 1), kWarp) / kWarp;
  Occupancy occupancy{.residentBlocks = limits.threads / kWarp / warps, .limitedBy = "threads"};
  const auto limit = [&](int blocks, const char* by) {
    if (blocks < occupancy.residentBlocks) {
      occupancy.residentBlocks = blocks;
      occupancy.limitedBy = by;
    }
  };
  limit(limits.blocks, "blocks");
  if (registersPerThread > 0) {
    const int perWarp = upTo(std::int64_t{registersPerThread} * kWarp, kRegisterUnit);
    limit(limits.registers / kSubpartitions / perWarp * kSubpartitions / warps, "registers");
  }
  const int shared = upTo(sharedBytes, limits.sharedUnit) + limits.reservedSharedBytes;
  if (sharedBytes > 0 && shared > 0) { limit(limits.sharedBytes / shared, "shared memory"); }
  occupancy.share = static_cast<double>(occupancy.residentBlocks) * warps * kWarp / limits.threads;
  return occupancy;
}

}  // namespace haloscope::gpu
