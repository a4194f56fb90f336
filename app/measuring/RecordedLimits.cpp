#include "measuring/RecordedLimits.h"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "program/SourceLocation.h"

namespace haloscope::measuring {

namespace {

using RecordedJson = nlohmann::json;

std::string textOf(const RecordedJson& entry, const char* field, const std::string& place, bool needed = true) {
  const auto found = entry.find(field);
  if (found == entry.end() && !needed) { return {}; }
  if (found == entry.end() || !found->is_string()) {
    throw InputError(fmt::format("{}: '{}' must be a string", place, field));
  }
  return found->get<std::string>();
}

/// Nothing where the field is missing or null.
std::optional<double> numberOf(const RecordedJson& entry, const char* field, const std::string& place) {
  const auto found = entry.find(field);
  if (found == entry.end() || found->is_null()) { return {}; }
  if (!found->is_number() || found->get<double>() < 0) {
    throw InputError(fmt::format("{}: '{}' must be a number, and not below zero", place, field));
  }
  return found->get<double>();
}

RecordedLimit readEntry(const RecordedJson& entry, const std::string& place) {
  if (!entry.is_object()) { throw InputError(fmt::format("{}: must be an object", place)); }
  RecordedLimit limit;
  limit.kind = textOf(entry, "class", place, false);
  limit.id = textOf(entry, "id", place);
  limit.gpu = textOf(entry, "gpu", place);
  const auto fraction = numberOf(entry, "fraction_of_copy", place);
  if (!fraction) { throw InputError(fmt::format("{}: 'fraction_of_copy' is missing", place)); }
  limit.fraction = *fraction;
  limit.copyGBs = numberOf(entry, "copy_gb_per_s", place).value_or(0);
  limit.milliseconds = numberOf(entry, "median_ms", place).value_or(0);
  limit.occupancy = numberOf(entry, "occupancy", place);
  if (const auto registers = numberOf(entry, "registers_per_thread", place)) {
    limit.registers = static_cast<int>(*registers);
  }
  if (const auto bindings = entry.find("bindings"); bindings != entry.end() && bindings->is_object()) {
    for (const auto& [name, value] : bindings->items()) {
      limit.bindings[name] = value.is_string() ? value.get<std::string>() : value.dump();
    }
  }
  return limit;
}

/// The variants that `bench --suite` timed and verified, with what their class and the document say of all.
RecordedJson entriesOfSuite(const RecordedJson& document, const std::string& place) {
  RecordedJson list = RecordedJson::array();
  for (const RecordedJson& one : document.at("classes")) {
    if (!one.is_object() || !one.contains("variants")) {
      throw InputError(fmt::format("{}: 'classes' must be a list of classes with 'variants'", place));
    }
    for (RecordedJson entry : one.at("variants")) {
      if (!entry.value("verified", false)) { continue; }
      entry["class"] = textOf(one, "class", place);
      entry["gpu"] = textOf(document, "gpu", place);
      if (const auto copy = one.find("copy"); copy != one.end() && copy->is_object()) {
        entry["copy_gb_per_s"] = copy->value("gb_per_s", 0.0);
      }
      list.push_back(std::move(entry));
    }
  }
  return list;
}

}  // namespace

std::vector<RecordedLimit> readRecordedLimits(const std::filesystem::path& file) {
  std::ifstream stream(file);
  if (!stream) { throw InputError(fmt::format("{}: cannot be opened", file.string())); }
  RecordedJson document;
  try {
    document = RecordedJson::parse(stream);
  } catch (const RecordedJson::parse_error& error) {
    throw InputError(fmt::format("{}: {}", file.string(), error.what()));
  }
  if (document.is_object() && document.contains("classes")) { document = entriesOfSuite(document, file.string()); }
  if (!document.is_array()) { throw InputError(fmt::format("{}: must be a list", file.string())); }
  std::vector<RecordedLimit> limits;
  for (const RecordedJson& entry : document) {
    limits.push_back(readEntry(entry, fmt::format("{}: entry {}", file.string(), limits.size() + 1)));
  }
  return limits;
}

const RecordedLimit* findRecorded(const std::vector<RecordedLimit>& recorded, const std::string& id,
                                  const std::string& kind) {
  const RecordedLimit* first = nullptr;
  for (const RecordedLimit& one : recorded) {
    if (one.id != id) { continue; }
    if (one.kind == kind) { return &one; }
    if (first == nullptr) { first = &one; }
  }
  return first;
}

}  // namespace haloscope::measuring
