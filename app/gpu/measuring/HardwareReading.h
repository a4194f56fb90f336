#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "catalogue/KernelFile.h"
#include "hardware/Counters.h"

namespace haloscope::measuring {

/// One launch twice: what the GPU's hardware counted of it and how long it took there, and what the emulator counted.
struct HardwareReading {
  std::string id, title, gpu;
  std::string text;                     ///< of the kernel
  Bindings bindings;                    ///< of the launch: its sizes may be larger than the chosen ones
  std::optional<double> bookOpPerByte;  ///< the header's formula, loads only

  // By the emulator. Sectors and conflicts are those of loads and stores: atomics have counters of their own.
  std::uint64_t flops = 0;
  std::uint64_t loadBytes = 0, storeBytes = 0;      ///< of global memory, as the code requests them
  std::uint64_t loadSectors = 0, storeSectors = 0;  ///< of 32 bytes
  std::uint64_t bankConflicts = 0;                  ///< passes of shared memory beyond those that are needed

  // By the GPU.
  hardware::Counters counters{};
  double milliseconds = 0;          ///< median, caches as the launch before left them
  double copyGBs = 0;               ///< 10^9 bytes/s, read and written, of a copy measured alongside
  double theoreticalOccupancy = 0;  ///< resident threads / the most a multiprocessor holds, by what a block takes

  /// Flops per byte that the text loads from global memory: what the formula counts. 0 without loads.
  [[nodiscard]] double executedOpPerByte() const;
  /// Flops per byte that DRAM read or wrote. 0 if it moved none.
  [[nodiscard]] double dramOpPerByte() const;
  /// Flops per byte that a copy moves in the time of the launch: what OP/B would be if DRAM had been the limit.
  [[nodiscard]] double impliedOpPerByte() const;
  /// The formula's; without one, the executed.
  [[nodiscard]] double book() const { return bookOpPerByte.value_or(executedOpPerByte()); }
  /// 10^9 floating-point operations a second.
  [[nodiscard]] double gflops() const;
  /// 10^9 bytes a second that DRAM moved.
  [[nodiscard]] double dramGBs() const;
  /// Whether it is about this text with these tunables. A variant's sizes are chosen by the measurement, so that
  /// those need not agree; an opened file is measured as it is launched.
  [[nodiscard]] bool describes(const KernelFile& file, const Bindings& bindings) const;
};

/// A number that the emulator and the hardware both count.
struct CounterAgreement {
  std::string what;
  double emulator = 0, hardware = 0;

  /// How far apart they are, as a part of the hardware's number; nothing if only that is 0.
  [[nodiscard]] std::optional<double> difference() const;
};

/// Sectors of loads and of stores, and bank conflicts where there is shared memory.
[[nodiscard]] std::vector<CounterAgreement> agreements(const HardwareReading& reading);

/// Why DRAM's OP/B differs from the book's, in one sentence made from the numbers. Empty without operations or bytes.
[[nodiscard]] std::string cacheSentence(const HardwareReading& reading);
/// The same in a few words, for a line of a panel.
[[nodiscard]] std::string cacheLine(const HardwareReading& reading);
/// Whether DRAM was what the launch waited for, in one sentence. Empty if nothing was timed.
[[nodiscard]] std::string timeSentence(const HardwareReading& reading);

}  // namespace haloscope::measuring
