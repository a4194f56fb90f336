#include "measuring/RecordedLimits.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <nlohmann/json.hpp>

#include "catalogue/Precision.h"
#include "language/Text.h"
#include "measuring/JsonEntry.h"
#include "program/SourceLocation.h"

namespace haloscope::measuring {

namespace {

using RecordedJson = nlohmann::json;
using TextBindings = std::map<std::string, std::string>;

TextBindings textsOf(const RecordedJson& values) {
  TextBindings texts;
  for (const auto& [name, value] : values.items()) {
    texts[name] = value.is_string() ? value.get<std::string>() : value.dump();
  }
  return texts;
}

std::string problemText(const TextBindings& sizes, const std::string& precision) {
  std::vector<std::string> words;
  for (const auto& [name, value] : sizes) { words.push_back(name + " " + value); }
  words.push_back(precision);
  return fmt::format("{}", fmt::join(words, ", "));
}

RecordedLimit readEntry(const RecordedJson& value, const std::string& place) {
  const JsonEntry entry(value, place);
  RecordedLimit limit{.kind = entry.textOrNone("class"),
                      .problem = entry.textOrNone("problem_text"),
                      .id = entry.text("id"),
                      .gpu = entry.text("gpu"),
                      .tileSource = entry.textOrNone("tile_source")};
  const auto fraction = entry.number("fraction_of_copy");
  if (!fraction) { throw InputError(trf("{}: 'fraction_of_copy' is missing", place)); }
  limit.fraction = *fraction;
  limit.copyGBs = entry.number("copy_gb_per_s").value_or(0);
  limit.milliseconds = entry.number("median_ms").value_or(0);
  limit.occupancy = entry.number("occupancy");
  if (const auto registers = entry.number("registers_per_thread")) { limit.registers = static_cast<int>(*registers); }
  if (const auto bindings = value.find("bindings"); bindings != value.end() && bindings->is_object()) {
    limit.bindings = textsOf(*bindings);
  }
  const auto counters = value.find("counters");
  if (counters == value.end() || !counters->is_object() || counters->contains("missing")) { return limit; }
  const JsonEntry counted(*counters, place + ", counters");
  limit.dramBytes = counted.number("dram_bytes_per_point");
  for (const RecordedJson& one : counters->value("stalls", RecordedJson::array())) {
    const JsonEntry stall(one, place + ", stalls");
    limit.stalls.push_back({stall.text("reason"), stall.textOrNone("metric"), stall.positive("cycles")});
  }
  return limit;
}

/// The variants that `bench --suite` timed and verified, with what their class and the document say of all.
RecordedJson entriesOfSuite(const RecordedJson& document, const std::string& place) {
  const std::string gpu = JsonEntry(document, place).text("gpu");
  RecordedJson list = RecordedJson::array();
  for (const RecordedJson& one : document.at("classes")) {
    if (!one.is_object() || !one.contains("variants")) {
      throw InputError(trf("{}: 'classes' must be a list of classes with 'variants'", place));
    }
    const JsonEntry ofClass(one, place);
    const auto sizes = one.find("problem");
    for (RecordedJson entry : one.at("variants")) {
      if (!entry.is_object() || !entry.value("verified", false)) { continue; }
      entry["class"] = ofClass.text("class");
      entry["gpu"] = gpu;
      if (sizes != one.end() && sizes->is_object()) {
        entry["problem_text"] = problemText(textsOf(*sizes), ofClass.textOrNone("precision"));
      }
      if (const auto copy = one.find("copy"); copy != one.end() && copy->is_object()) {
        entry["copy_gb_per_s"] = copy->value("gb_per_s", 0.0);
      }
      list.push_back(std::move(entry));
    }
  }
  return list;
}

}  // namespace

Bindings RecordedLimit::tunablesOf(const KernelFile& file) const {
  Bindings tunables;
  for (const Tunable& tunable : file.tunables) {
    const auto found = bindings.find(tunable.name);
    if (found == bindings.end()) { continue; }
    const std::string& value = found->second;
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error == std::errc() && end == value.data() + value.size()) { tunables[tunable.name] = number; }
  }
  return tunables;
}

std::vector<RecordedLimit> readRecordedLimits(const std::filesystem::path& file) {
  std::ifstream stream(file);
  if (!stream) { throw InputError(trf("{}: cannot be opened", file.string())); }
  RecordedJson document;
  try {
    document = RecordedJson::parse(stream);
  } catch (const RecordedJson::parse_error& error) {
    throw InputError(fmt::format("{}: {}", file.string(), error.what()));
  }
  if (document.is_object() && document.contains("classes")) { document = entriesOfSuite(document, file.string()); }
  if (!document.is_array()) { throw InputError(trf("{}: must be a list", file.string())); }
  std::vector<RecordedLimit> limits;
  for (const RecordedJson& entry : document) {
    limits.push_back(readEntry(entry, trf("{}: entry {}", file.string(), limits.size() + 1)));
  }
  return limits;
}

std::vector<RecordedLimit> limitsOf(const SuiteClass& measured, const std::string& gpu) {
  std::vector<RecordedLimit> limits;
  if (!measured.rootIsRight()) { return limits; }
  TextBindings sizes;
  for (const auto& [name, value] : measured.limit.problem) { sizes[name] = std::to_string(value); }
  for (const SuiteEntry& entry : measured.entries) {
    if (!entry.verified || entry.time.samples == 0 || entry.fractionOfCopy <= 0) { continue; }
    const KernelFile& file = *entry.variant.file;
    RecordedLimit limit{.kind = measured.limit.name,
                        .problem = problemText(sizes, realTypeName(measured.limit.precision)),
                        .id = file.id,
                        .gpu = gpu,
                        .tileSource = nameOf(entry.tile),
                        .fraction = entry.fractionOfCopy,
                        .copyGBs = measured.copy.gbs,
                        .milliseconds = entry.time.medianMs,
                        .registers = entry.resources.registersPerThread,
                        .occupancy = entry.occupancy,
                        .text = file.text};
    if (entry.counters) {
      limit.dramBytes = entry.counters->dramBytes() / measured.pointsOf(entry);
      limit.stalls = entry.counters->stalls;
    }
    for (const auto& [name, value] : entry.variant.bindings) { limit.bindings[name] = file.valueText(name, value); }
    limits.push_back(std::move(limit));
  }
  return limits;
}

const RecordedLimit* findRecorded(const std::vector<RecordedLimit>& recorded, const std::string& id,
                                  const std::string& kind) {
  const auto ofKind = std::ranges::find(recorded, kind, &RecordedLimit::kind);
  const std::string problem = ofKind == recorded.end() ? std::string() : ofKind->problem;
  const RecordedLimit* alike = nullptr;
  for (const RecordedLimit& one : recorded) {
    if (one.id != id) { continue; }
    if (one.kind == kind) { return &one; }
    // Of the classes with more steps, the one in which it is the fastest.
    const bool same = !problem.empty() && one.problem == problem;
    if (same && (alike == nullptr || one.fraction > alike->fraction)) { alike = &one; }
  }
  return alike;
}

}  // namespace haloscope::measuring
