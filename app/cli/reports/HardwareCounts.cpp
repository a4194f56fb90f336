#include "reports/HardwareCounts.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "driver/Device.h"
#include "language/Text.h"
#include "measuring/GpuGate.h"
#include "measuring/HardwareMeasurement.h"
#include "program/NumberText.h"
#include "tables/BindingsJson.h"
#include "text/Print.h"

namespace haloscope {

namespace {

using Json = nlohmann::ordered_json;

constexpr double kLeastStall = 0.02;  // of all: the others are not printed

Json toJson(const KernelFile& file, const measuring::HardwareReading& reading) {
  Json compared = Json::array();
  for (const measuring::CounterAgreement& one : measuring::agreements(reading)) {
    const auto difference = one.difference();
    compared.push_back({{"what", one.what},
                        {"emulator", one.emulator},
                        {"hardware", one.hardware},
                        {"difference", difference ? Json(*difference) : Json(nullptr)}});
  }
  const hardware::Counters& counters = reading.counters;
  return {{"kernel", reading.id},
          {"gpu", reading.gpu},
          {"bindings", bindingsToJson(file, reading.bindings)},
          {"op_per_byte",
           {{"formula", reading.bookOpPerByte ? Json(*reading.bookOpPerByte) : Json(nullptr)},
            {"executed", reading.executedOpPerByte()},
            {"dram", reading.dramOpPerByte()},
            {"implied_by_time", reading.impliedOpPerByte()}}},
          {"flops", reading.flops},
          {"global_load_bytes", reading.loadBytes},
          {"global_store_bytes", reading.storeBytes},
          {"compared", std::move(compared)},
          {"dram_read_bytes", counters.dramReadBytes},
          {"dram_written_bytes", counters.dramWrittenBytes},
          {"l2_read_sectors", counters.l2ReadSectors},
          {"l2_write_sectors", counters.l2WriteSectors},
          {"shared_passes", counters.sharedPasses},
          {"bank_conflict_cycles", counters.bankCycles},
          {"occupancy", counters.occupancy},
          {"theoretical_occupancy", reading.theoreticalOccupancy},
          {"stalls", stallsToJson(counters)},
          {"stalls_missing", counters.stallsMissing.empty() ? Json(nullptr) : Json(counters.stallsMissing)},
          {"passes", counters.passes},
          {"median_ms", reading.milliseconds},
          {"copy_gb_per_s", reading.copyGBs},
          {"explanation", {measuring::cacheSentence(reading), measuring::timeSentence(reading)}}};
}

std::string bytes(double count) { return byteText(static_cast<std::uint64_t>(std::llround(count))); }

void printTable(const KernelFile& file, const measuring::HardwareReading& reading) {
  std::string bindings;
  for (const auto& [name, value] : reading.bindings) {
    bindings += fmt::format(", {} {}", name, file.valueText(name, value));
  }
  trPrint("{} ({}) on {}{}\n", reading.id, tr(reading.title), reading.gpu, bindings);
  const auto way = [](const char* name, double value, const std::string& how) {
    printText("  {:<24}{:>12.3f}   {}\n", name, value, how);
  };
  if (reading.bookOpPerByte) { way(tr("OP/B, book"), *reading.bookOpPerByte, tr("formula, loads only")); }
  way(tr("OP/B, executed"), reading.executedOpPerByte(),
      trf("emulator: {} flops, {} loaded", reading.flops, byteText(reading.loadBytes)));
  const hardware::Counters& counters = reading.counters;
  way("OP/B, DRAM", reading.dramOpPerByte(),
      trf("hardware counters: {} read, {} written", bytes(counters.dramReadBytes), bytes(counters.dramWrittenBytes)));
  way(tr("OP/B, from the time"), reading.impliedOpPerByte(),
      trf("{:.4f} ms, in which a copy moves {}", reading.milliseconds,
          bytes(reading.milliseconds * 1e6 * reading.copyGBs)));
  printText("  {:<24}{:>14}{:>14}{:>12}\n", "", tr("emulator"), tr("hardware"), tr("difference"));
  for (const measuring::CounterAgreement& one : measuring::agreements(reading)) {
    const auto difference = one.difference();
    printText("  {:<24}{:>14.0f}{:>14.0f}{:>12}\n", one.what, one.emulator, one.hardware,
              difference ? fmt::format("{:.2f} %", 100 * *difference) : "-");
  }
  printText("  {:<24}{:>14}{:>14.0f}\n", tr("L2 sectors, read"), "", counters.l2ReadSectors);
  printText("  {:<24}{:>14}{:>14.0f}\n", tr("L2 sectors, written"), "", counters.l2WriteSectors);
  trPrint("  {:<24}{:>12.1f} %{:>12.1f} %   limit from the resources of a block; measured\n", tr("occupancy"),
          100 * reading.theoreticalOccupancy, 100 * counters.occupancy);
  for (const hardware::Stall& stall : counters.stalls) {
    if (stall.cycles < kLeastStall * counters.stallCycles()) { break; }
    trPrint("  {:<24}{:>14}{:>14.1f}   cycles between two instructions of a warp, waiting for {}\n", tr("stalled"), "",
            stall.cycles, tr(stall.reason));
  }
  if (!counters.stallsMissing.empty()) { trPrint("  why warps wait is not known: {}\n", counters.stallsMissing); }
  for (const std::string& sentence : {measuring::cacheSentence(reading), measuring::timeSentence(reading)}) {
    if (!sentence.empty()) { printText("{}\n", sentence); }
  }
}

}  // namespace

Json stallsToJson(const hardware::Counters& counters) {
  Json stalls = Json::array();
  for (const hardware::Stall& stall : counters.stalls) {
    stalls.push_back({{"reason", stall.reason}, {"metric", stall.metric}, {"cycles", stall.cycles}});
  }
  return stalls;
}

ExitCode countOnHardware(const Catalogue& catalogue, const std::string& id, const KernelOptions& options, bool json) {
  if (!options.data.empty()) {
    throw InputError(trf("--data {}: the hardware counters are read on random data", options.data.front()));
  }
  const ChosenKernel chosen = chosenKernel(catalogue, id, options);
  const gpu::DeviceSearch search = gpu::findDevice();
  if (!search.device) { throw MissingError(trf("--hardware needs an NVIDIA GPU: {}", search.missing)); }
  measuring::GpuGate gate;
  measuring::HardwareReading reading;
  try {
    reading = measuring::measureHardware(
        search.device, gate,
        {chosen.file, chosen.file.bind(chosen.bindings), options.knobs.sizeOption(chosen.file).empty()});
  } catch (const gpu::Unavailable& missing) { throw MissingError(missing.what()); }
  if (json) {
    printJson(toJson(chosen.file, reading));
  } else {
    printTable(chosen.file, reading);
  }
  return ExitCode::Good;
}

}  // namespace haloscope
