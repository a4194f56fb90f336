#include "reports/BenchSuite.h"

#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json_fwd.hpp>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "catalogue/LimitSuite.h"
#include "catalogue/Precision.h"
#include "driver/Compiler.h"
#include "driver/Device.h"
#include "hardware/Sensors.h"
#include "language/Text.h"
#include "measuring/GpuGate.h"
#include "measuring/Peers.h"
#include "measuring/SuitePlan.h"
#include "measuring/SuiteRun.h"
#include "measuring/TunedTiles.h"
#include "measuring/TuningMap.h"
#include "program/ResourceFolder.h"
#include "reports/HardwareCounts.h"
#include "reports/Interruption.h"
#include "tables/BindingsJson.h"
#include "text/JsonText.h"
#include "text/Print.h"
#include "work/Pool.h"

namespace haloscope {

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::ordered_json;
using measuring::SuiteClass;
using measuring::SuiteEntry;

const char* nameOf(LimitClass::Measure measure) {
  return measure == LimitClass::Measure::Copy ? "copy" : "multiply-adds";
}

Json numberOrNull(double number) { return std::isfinite(number) ? Json(number) : Json(nullptr); }

Json timeToJson(const gpu::Spread& time) {
  return {{"median_ms", time.medianMs}, {"p10_ms", time.p10Ms}, {"p90_ms", time.p90Ms}, {"samples", time.samples}};
}

/// Null where none were asked for.
Json countersToJson(const SuiteClass& measured, const SuiteEntry& entry) {
  if (!entry.countersMissing.empty()) { return {{"missing", entry.countersMissing}}; }
  if (!entry.counters) { return nullptr; }
  const hardware::Counters& counters = *entry.counters;
  return {{"dram_read_bytes", counters.dramReadBytes},
          {"dram_written_bytes", counters.dramWrittenBytes},
          {"dram_bytes_per_point", counters.dramBytes() / measured.pointsOf(entry)},
          {"l2_read_sectors", counters.l2ReadSectors},
          {"l2_write_sectors", counters.l2WriteSectors},
          {"l1_load_sectors", counters.l1LoadSectors},
          {"l1_store_sectors", counters.l1StoreSectors},
          {"shared_passes", counters.sharedPasses},
          {"occupancy", counters.occupancy},
          {"stalls", stallsToJson(counters)},
          {"stalls_missing", counters.stallsMissing.empty() ? Json(nullptr) : Json(counters.stallsMissing)}};
}

Json entryToJson(const SuiteClass& measured, const SuiteEntry& entry) {
  const KernelFile& file = *entry.variant.file;
  Json tile = Json::object();
  for (const std::string& name : measuring::tuningAxes(file)) { tile[name] = entry.variant.bindings.at(name); }
  Json json = {{"id", file.id},
               {"title", file.title},
               {"idea", file.idea},
               {"extends", entry.variant.height == 0 ? Json(nullptr) : Json(file.extends)},
               {"height", entry.variant.height},
               {"bindings", bindingsToJson(file, entry.variant.bindings)},
               {"tile", std::move(tile)},
               {"tile_source", measuring::nameOf(entry.tile)},
               {"steps", entry.steps},
               {"problem", entry.problem.empty() ? Json(nullptr) : Json(entry.problem)}};
  if (entry.time.samples == 0) { return json; }
  json["verified"] = entry.verified;
  json["largest_difference"] = numberOrNull(entry.largestDifference);
  json["tolerance"] = entry.tolerance;
  json["differing"] = entry.differing;
  json.update(timeToJson(entry.time));
  json["warmups"] = entry.warmups;
  json["effective_gb_per_s"] = entry.effectiveGBs;
  json["multiply_adds_per_ns"] = entry.multiplyAdds;
  json["fraction"] = entry.fraction(measured.limit.measure);
  json["fraction_of_copy"] = entry.fractionOfCopy;
  json["fraction_of_multiply_adds"] = entry.fractionOfMultiplyAdds;
  json["registers_per_thread"] = entry.resources.registersPerThread;
  json["spill_bytes_per_thread"] = entry.resources.spillBytes;
  json["local_bytes_per_thread"] = entry.resources.localBytes;
  json["shared_bytes_per_block"] = entry.resources.sharedBytes;
  json["occupancy"] = entry.occupancy;
  json["counters"] = countersToJson(measured, entry);
  json["sm_clock_mhz"] = entry.conditions.medianClockMHz;
  json["power_watts"] = entry.conditions.powerWatts;
  json["disturbed"] = entry.conditions.disturbance;
  return json;
}

Json checkToJson(const SuiteClass& measured, const measuring::Verification& check) {
  return {
      {"where", check.where},
      {"size", measured.entries.empty() ? Json(nullptr)
                                        : sizeToJson(*measured.entries.front().variant.file, measured.rootCheckedAt)},
      {"pass", check.pass},
      {"max_rel_error", numberOrNull(check.maxRelativeError)},
      {"tolerance", check.tolerance},
      {"message", check.message.empty() ? Json(nullptr) : Json(check.message)}};
}

Json sampledToJson(const std::optional<measuring::SampledCheck>& check) {
  if (!check) { return nullptr; }
  return {{"points", check->points},
          {"wrong", check->wrong},
          {"pass", check->pass()},
          {"max_rel_error", numberOrNull(check->maxRelativeError)},
          {"tolerance", check->tolerance}};
}

Json peerToJson(const measuring::PeerTime& peer) {
  const bool timed = peer.milliseconds > 0;
  return {{"name", peer.name},
          {"command", peer.command},
          {"median_ms", timed ? Json(peer.milliseconds) : Json(nullptr)},
          {"effective_gb_per_s", timed ? Json(peer.effectiveGBs) : Json(nullptr)},
          {"fraction", timed ? Json(peer.fraction) : Json(nullptr)},
          {"problem", peer.problem.empty() ? Json(nullptr) : Json(peer.problem)}};
}

/// "reach 0.95 hit", "aim 0.97 missed by 0.012"
std::string goalText(const char* goal, double wanted, double got) {
  return got >= wanted ? trf("{} {:.2f} hit", goal, wanted)
                       : trf("{} {:.2f} missed by {:.3f}", goal, wanted, wanted - got);
}

std::string resultText(const SuiteEntry& entry) {
  if (!entry.verified) {
    return trf("WRONG: {} elements differ by up to {:.2g} (tolerance {:.1g})", entry.differing, entry.largestDifference,
               entry.tolerance);
  }
  return entry.conditions.disturbance.empty() ? "right" : trf("right; disturbed: {}", entry.conditions.disturbance);
}

void printEntry(const SuiteEntry& entry, LimitClass::Measure measure) {
  const KernelFile& file = *entry.variant.file;
  const std::string name = fmt::format("{:{}}{}", "", 2 * entry.variant.height, file.id);
  const std::string text = measuring::tileText(file, entry.variant.bindings);
  const std::string tile = fmt::format("{} ({})", text.empty() ? tr("no tile") : text, measuring::nameOf(entry.tile));
  if (!entry.problem.empty()) {
    trPrint("  {:<38}not timed: {}\n", name, entry.problem);
    return;
  }
  printText("  {:<38}{:>9.4f}{:>18}{:>8.0f}{:>8.3f}{:>6}{:>6}{:>6.2f}  {}, {}\n", name, entry.time.medianMs,
            fmt::format("{:.4f}…{:.4f}", entry.time.p10Ms, entry.time.p90Ms), entry.effectiveGBs,
            entry.fraction(measure), entry.resources.registersPerThread, entry.resources.spillBytes, entry.occupancy,
            resultText(entry), trf("tile: {}", tile));
}

/// The best rung and how far it is from what it should reach, or why there is none, in a line.
std::string summaryOf(const SuiteClass& measured) {
  const LimitClass& limit = measured.limit;
  if (!measured.problem.empty()) { return trf("not measured: {}", measured.problem); }
  const SuiteEntry* best = measured.best();
  if (best == nullptr) {
    return trf("no variant solves it{}; reach {:.2f}, aim {:.2f}",
               measured.rootIsRight() ? "" : tr(", because the root is wrong or did not run"), limit.reach, limit.aim);
  }
  const double got = best->fraction(limit.measure);
  return trf("best: {} {:.3f}; {}, {}", best->variant.file->id, got, goalText("reach", limit.reach, got),
             goalText("aim", limit.aim, got));
}

/// A table of the class's rungs, the fastest copy, and how far the best rung is from what it should reach.
void printClass(const SuiteClass& measured, const std::vector<measuring::PeerTime>& peers) {
  const LimitClass& limit = measured.limit;
  printText("\n{}\n", limit.name);
  if (!measured.problem.empty()) {
    printText("  {}\n", summaryOf(measured));
    return;
  }
  printText("  {:<38}{:>9}{:>18}{:>8}{:>8}{:>6}{:>6}{:>6}\n", trf("fraction of {}", nameOf(limit.measure)), "ms",
            "p10…p90", "GB/s", "", tr("regs"), tr("spill"), tr("occ."));
  for (const SuiteEntry& entry : measured.entries) { printEntry(entry, limit.measure); }
  for (const measuring::PeerTime& peer : peers) {
    if (peer.milliseconds > 0) {
      trPrint("  {:<38}{:>9.4f}{:>18}{:>8.0f}{:>8.3f}  peer, not verified\n", peer.name, peer.milliseconds, "",
              peer.effectiveGBs, peer.fraction);
    } else {
      trPrint("  {:<38}no time: {}\n", peer.name, peer.problem);
    }
  }
  for (const measuring::Verification& check : measured.rootChecks) {
    if (!check.failed()) { continue; }
    trPrint("  the root is WRONG on {}: {}\n", check.where,
            check.compared() ? trf("it differs from the reference by {:.2g} (tolerance {:.1g})", check.maxRelativeError,
                                   check.tolerance)
                             : check.message);
  }
  if (const auto& sampled = measured.rootSampled; sampled && !sampled->pass()) {
    trPrint(
        "  the root is WRONG at {} of {} sampled points: it differs from the reference by {:.2g} (tolerance {:.1g})\n",
        sampled->wrong, sampled->points, sampled->maxRelativeError, sampled->tolerance);
  }
  trPrint("  copy {:.0f} GB/s ({}); {:.0f} multiply-adds a nanosecond\n", measured.copy.gbs, measured.copy.kind,
          measured.multiplyAdds);
  printText("  {}\n", summaryOf(measured));
  std::fflush(stdout);
}

Json classToJson(const SuiteClass& measured, const std::vector<measuring::PeerTime>& peers) {
  const LimitClass& limit = measured.limit;
  const SuiteEntry* best = measured.best();
  const double got = best == nullptr ? 0 : best->fraction(limit.measure);
  Json entries = Json::array();
  for (const SuiteEntry& entry : measured.entries) { entries.push_back(entryToJson(measured, entry)); }
  Json leftOut = Json::array();
  for (const measuring::LeftOut& one : measured.leftOut) {
    leftOut.push_back({{"id", one.id}, {"reason", one.reason}});
  }
  Json checks = Json::array();
  for (const measuring::Verification& check : measured.rootChecks) { checks.push_back(checkToJson(measured, check)); }
  Json others = Json::array();
  for (const measuring::PeerTime& peer : peers) { others.push_back(peerToJson(peer)); }
  Json copy = nullptr;
  if (measured.copy.gbs > 0) {
    copy = {{"kind", measured.copy.kind}, {"gb_per_s", measured.copy.gbs}};
    copy.update(timeToJson(measured.copy.spread));
  }
  return {{"class", limit.name},
          {"climb", limit.climb},
          {"problem", limit.problem},
          {"precision", realTypeName(limit.precision)},
          {"steps", limit.steps},
          {"measure", nameOf(limit.measure)},
          {"reach", limit.reach},
          {"aim", limit.aim},
          {"complete", measured.complete},
          {"not_measured", measured.problem.empty() ? Json(nullptr) : Json(measured.problem)},
          {"copy", std::move(copy)},
          {"multiply_adds_per_ns", measured.multiplyAdds},
          {"root_checks", std::move(checks)},
          {"root_sampled", sampledToJson(measured.rootSampled)},
          {"variants", std::move(entries)},
          {"left_out", std::move(leftOut)},
          {"peers", std::move(others)},
          {"best", best == nullptr ? Json(nullptr) : Json(best->variant.file->id)},
          {"best_fraction", best == nullptr ? Json(nullptr) : Json(got)},
          {"reach_hit", got >= limit.reach},
          {"aim_hit", got >= limit.aim}};
}

constexpr int kFewCandidates = 24;

/// For each part the class of that name, or those whose names contain it. Throws InputError where there is none.
std::vector<LimitClass> chosenClasses(const LimitSuite& suite, const std::vector<std::string>& parts) {
  if (parts.empty()) { return suite.classes; }
  std::set<std::string> chosen;
  for (const std::string& part : parts) {
    const bool isName = std::ranges::find(suite.classes, part, &LimitClass::name) != suite.classes.end();
    bool found = false;
    for (const LimitClass& one : suite.classes) {
      if (isName ? one.name != part : one.name.find(part) == std::string::npos) { continue; }
      chosen.insert(one.name);
      found = true;
    }
    if (found) { continue; }
    std::vector<std::string> names;
    for (const LimitClass& one : suite.classes) { names.push_back(one.name); }
    throw InputError(
        trf("--class {}: the suite {} has no such class; it has: {}", part, suite.name, fmt::join(names, "; ")));
  }
  std::vector<LimitClass> classes;
  std::ranges::copy_if(suite.classes, std::back_inserter(classes),
                       [&](const LimitClass& one) { return chosen.contains(one.name); });
  return classes;
}

/// Prints the document class by class, so that a run that is cut short leaves what it has measured.
class SuiteDocument {
 public:
  explicit SuiteDocument(const Json& head) {
    std::string text = jsonText(head, 2);
    text.resize(text.rfind('\n'));
    printNow(text + ",\n  \"classes\": [");
  }
  void add(const Json& one) {
    std::string text;
    for (const char c : jsonText(one, 2)) { text += c == '\n' ? std::string("\n    ") : std::string(1, c); }
    printNow((std::exchange(first_, false) ? "\n    " : ",\n    ") + text);
  }
  /// `problem`: why classes are missing; empty: none is.
  void end(const std::string& problem) {
    printNow(fmt::format("\n  ],\n  \"complete\": {},\n  \"problem\": {}\n}}\n", problem.empty(),
                         jsonText(problem.empty() ? Json(nullptr) : Json(problem))));
  }

 private:
  static void printNow(const std::string& text) {
    printLines(text);
    std::fflush(stdout);
  }

  bool first_ = true;
};

}  // namespace

void SuiteArguments::addTo(CLI::App& command) {
  CLI::Option* option =
      command.add_option("--suite", suite, tr("Time every rung of the climbs in a suite: \"limit\", or a .yaml file"));
  command.add_option("--class", classes, tr("Only the suite's class of this name, or those whose names contain it"))
      ->needs(option)
      ->allow_extra_args(false);
  command
      .add_option("--tune", tuneCandidates, tr("Look for each rung's tile first, with so many timings (default: 24)"))
      ->needs(option)
      ->expected(0, 1)
      ->default_str(std::to_string(kFewCandidates))
      ->check(CLI::Range(1, 10'000));
  command.add_flag("--counters", counters, tr("Also read each rung's hardware counters: DRAM's bytes, why warps wait"))
      ->needs(option);
  command.add_flag("--peers", shippedPeers, tr("Also cuDNN, through PyTorch where it is installed"))->needs(option);
  command
      .add_option("--peer", peers,
                  tr("Also another program, NAME=COMMAND, whose last line is its milliseconds; {size}, {precision}, "
                     "{steps} and the "
                     "names of the problem are replaced in it"))
      ->needs(option)
      ->allow_extra_args(false);
}

ExitCode benchSuite(const Catalogue& catalogue, const SuiteArguments& arguments, bool json) {
  const fs::path assets = resourceFolder("assets", HALOSCOPE_SOURCE_DIR);
  const LimitSuite suite = LimitSuite::named(arguments.suite, assets / "suites");
  const std::vector<LimitClass> classes = chosenClasses(suite, arguments.classes);
  std::vector<measuring::Peer> peers;
  for (const std::string& peer : arguments.peers) { peers.push_back(measuring::peerOf(peer)); }
  const Interruption interruption;  // before the driver starts its threads
  const gpu::DeviceSearch search = gpu::findDevice();
  if (!search.device) { throw MissingError(trf("bench needs an NVIDIA GPU: {}", search.missing)); }

  const gpu::DeviceProperties& properties = search.device->properties();
  measuring::GpuGate gate;
  work::Pool pool;
  measuring::SuiteRun run(search.device, gate, pool, measuring::TunedTiles::of(*search.device));
  if (!json) {
    trPrint(
        "{}, compute capability {}; GB/s: each point read once and each computed one written once a time step / "
        "median time\n",
        properties.name, properties.computeCapability());
  }
  std::optional<SuiteDocument> document;
  if (json) {
    document.emplace(Json{
        {"suite", suite.name},
        {"gpu", properties.name},
        {"compute_capability", properties.computeCapability()},
        {"driver", hardware::Sensors(*search.device).driverVersion()},
        {"compiler", search.device->compiler().versionText()},
        {"multiply_adds_per_ns", {{"float", run.peaks().fp32GFlops / 2}, {"double", run.peaks().fp64GFlops / 2}}}});
  }
  const measuring::SuiteOptions options{
      .tuneCandidates = arguments.tuneCandidates, .counters = arguments.counters, .stop = interruption.token()};
  bool right = true;
  std::string ended;
  for (const LimitClass& one : classes) {
    if (interruption.token().stop_requested()) { ended = tr("it was interrupted"); }
    if (!ended.empty()) { break; }
    const measuring::SuiteClass measured = run.measure(measuring::planClass(catalogue, one), options);
    std::vector<measuring::PeerTime> times;
    if (measured.problem.empty() && measured.complete) {
      if (arguments.shippedPeers && !one.peer.empty()) {
        times.push_back(measuring::timeShippedPeer(measured, (assets / "peers").string()));
      }
      for (const measuring::Peer& peer : peers) { times.push_back(measuring::timePeer(peer, measured)); }
    }
    right = right && measured.right() && measured.complete;
    ended = measured.lost;
    if (document) {
      document->add(classToJson(measured, times));
      printText(stderr, "haloscope: {}: {}\n", one.name, summaryOf(measured));
    } else {
      printClass(measured, times);
    }
  }
  if (document) { document->end(ended); }
  if (!ended.empty()) { printText(stderr, "haloscope: the suite was not finished: {}\n", ended); }
  return right && ended.empty() ? ExitCode::Good : ExitCode::Mismatch;
}

}  // namespace haloscope
