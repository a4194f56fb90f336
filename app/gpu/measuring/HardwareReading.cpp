#include "measuring/HardwareReading.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "checking/ShippedVariants.h"
#include "language/Text.h"
#include "program/NumberText.h"

namespace haloscope::measuring {

namespace {

// A tenth more or less is what is left over at borders and in caches.
constexpr double kAbout = 0.1;
constexpr std::uint64_t kSectorBytes = 32;
// Of a copy's speed: what a kernel that only waits for DRAM reaches.
constexpr double kAtTheLimit = 0.85, kNearTheLimit = 0.6;

double perByte(std::uint64_t flops, double bytes) { return bytes > 0 ? static_cast<double>(flops) / bytes : 0.0; }

std::string wordsOf(double bytes) { return byteText(static_cast<std::uint64_t>(std::llround(bytes))); }

/// "3.4 times the book's 0.46"
std::string comparedWithTheBook(const HardwareReading& reading) {
  const std::string whose = reading.bookOpPerByte ? tr("the book's") : tr("the executed");
  const double ratio = reading.dramOpPerByte() / reading.book();
  if (std::abs(ratio - 1) < 0.05) { return trf("the same as {} {:.2f}", whose, reading.book()); }
  if (ratio > 1) { return trf("{:.1f} times {} {:.2f}", ratio, whose, reading.book()); }
  return trf("{:.0f} % of {} {:.2f}, which counts loads only", 100 * ratio, whose, reading.book());
}

/// What DRAM moved, what the code requests, and why they differ.
enum class Cause : std::uint8_t { Served, Nothing, WholeSectors, Again };
struct Moved {
  std::string moved, asked;
  Cause cause = Cause::Nothing;
};

std::optional<Moved> movedOf(const HardwareReading& reading) {
  const double moved = reading.counters.dramBytes();
  const auto asked = static_cast<double>(reading.loadBytes + reading.storeBytes);
  if (moved <= 0 || asked <= 0 || reading.flops == 0 || reading.book() <= 0) { return std::nullopt; }
  const auto inSectors = static_cast<double>((reading.loadSectors + reading.storeSectors) * kSectorBytes);
  const Cause cause = moved < asked * (1 - kAbout)       ? Cause::Served
                      : moved <= asked * (1 + kAbout)    ? Cause::Nothing
                      : inSectors > asked * (1 + kAbout) ? Cause::WholeSectors
                                                         : Cause::Again;
  return Moved{wordsOf(moved), wordsOf(asked), cause};
}

}  // namespace

double HardwareReading::executedOpPerByte() const { return perByte(flops, static_cast<double>(loadBytes)); }

double HardwareReading::dramOpPerByte() const { return perByte(flops, counters.dramBytes()); }

double HardwareReading::impliedOpPerByte() const { return perByte(flops, milliseconds * 1e6 * copyGBs); }

double HardwareReading::gflops() const {
  return milliseconds > 0 ? static_cast<double>(flops) / (milliseconds * 1e6) : 0.0;
}

double HardwareReading::dramGBs() const { return milliseconds > 0 ? counters.dramBytes() / (milliseconds * 1e6) : 0.0; }

bool HardwareReading::describes(const KernelFile& file, const Bindings& chosen) const {
  if (id != file.id || text != file.text) { return false; }
  if (!checking::isShippedVariant(file)) { return bindings == chosen; }
  return std::ranges::all_of(file.macroNames(), [&](const std::string& name) {
    const auto mine = bindings.find(name);
    const auto theirs = chosen.find(name);
    return mine != bindings.end() && theirs != chosen.end() && mine->second == theirs->second;
  });
}

std::optional<double> CounterAgreement::difference() const {
  if (emulator == hardware) { return 0; }
  return hardware == 0 ? std::nullopt : std::optional(emulator / hardware - 1);
}

std::vector<CounterAgreement> agreements(const HardwareReading& reading) {
  std::vector<CounterAgreement> all = {
      {tr("L1 sectors of loads"), static_cast<double>(reading.loadSectors), reading.counters.l1LoadSectors},
      {tr("L1 sectors of stores"), static_cast<double>(reading.storeSectors), reading.counters.l1StoreSectors},
  };
  if (reading.counters.sharedRequests > 0) {
    all.push_back({tr("bank conflicts"), static_cast<double>(reading.bankConflicts), reading.counters.bankConflicts()});
  }
  return all;
}

std::string cacheSentence(const HardwareReading& reading) {
  const std::optional<Moved> moved = movedOf(reading);
  if (!moved) { return {}; }
  const std::string result =
      trf("its OP/B from DRAM is {:.2f}, {}", reading.dramOpPerByte(), comparedWithTheBook(reading));
  const std::string numbers = trf("DRAM moved {} for {} requested by the kernel", moved->moved, moved->asked);
  switch (moved->cause) {
    case Cause::Served:
      return trf("Caches serve repeated loads: {}, so {}.", numbers, result);
    case Cause::Nothing:
      return trf("DRAM moved about what the kernel requested, {} of {}: {}.", moved->moved, moved->asked, result);
    case Cause::WholeSectors:
      return trf("{}, because memory is transferred in whole 32-byte sectors: {}.", numbers, result);
    case Cause::Again:
      return trf(
          "{}, more than its sectors hold: some data was fetched again, most likely because it was evicted before it "
          "was "
          "needed again: {}.",
          numbers, result);
  }
  return {};
}

std::string cacheLine(const HardwareReading& reading) {
  const std::optional<Moved> moved = movedOf(reading);
  if (!moved) { return {}; }
  const std::string numbers = trf("DRAM moved {} of {} requested", moved->moved, moved->asked);
  switch (moved->cause) {
    case Cause::Served:
      return trf("{}: caches served the rest", numbers);
    case Cause::Nothing:
      return trf("{}: few loads were repeated", numbers);
    case Cause::WholeSectors:
      return trf("{}: whole sectors are transferred", numbers);
    case Cause::Again:
      return trf("{}: some data was fetched again", numbers);
  }
  return {};
}

std::string timeSentence(const HardwareReading& reading) {
  if (reading.milliseconds <= 0 || reading.copyGBs <= 0 || reading.counters.dramBytes() <= 0) { return {}; }
  const double fraction = reading.dramGBs() / reading.copyGBs;
  const char* verdict = fraction >= kAtTheLimit     ? tr("DRAM is the limit")
                        : fraction >= kNearTheLimit ? tr("DRAM is close to being the limit")
                                                    : tr("DRAM is not the limit");
  return trf("In {:.3f} ms DRAM moved {:.0f} GB/s, {:.0f} % of what a copy reaches: {}.", reading.milliseconds,
             reading.dramGBs(), 100 * fraction, verdict);
}

}  // namespace haloscope::measuring
