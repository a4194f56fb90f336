#include "reports/SuiteReport.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>

#include "catalogue/Precision.h"
#include "language/Text.h"
#include "measuring/TuningMap.h"
#include "reports/HardwareCounts.h"
#include "tables/BindingsJson.h"
#include "text/Print.h"

namespace haloscope {

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

}  // namespace

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

}  // namespace haloscope
