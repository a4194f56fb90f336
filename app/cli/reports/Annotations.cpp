#include "reports/Annotations.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "reports/CheckedKernel.h"
#include "text/Html.h"

namespace haloscope {

namespace {

using Json = nlohmann::ordered_json;
using judging::CheckedKernel;
using verdict::Weight;

/// In the order of Weight.
constexpr std::array<const char*, 3> kSarifLevels{"error", "warning", "note"};
constexpr std::array<const char*, 3> kGithubLevels{"error", "warning", "notice"};

std::size_t at(Weight weight) { return static_cast<std::size_t>(weight); }

/// A word for scripts.
std::string ruleOf(const Diagnostic& one) {
  return !one.kind.empty() ? one.kind : one.weight == Weight::Fault ? "program" : "note";
}

/// The text of a kernel's file, where a column of it is meant.
const std::string* textOf(const CheckedKernel& kernel, const std::string& file) {
  return kernel.text && kernel.file == file ? &kernel.text->text : nullptr;
}

/// Whether the columns of a line, which are bytes here, are also its characters.
bool isAscii(const std::string& text, int line) {
  std::string_view rest(text);
  for (int i = 1; i < line; ++i) {
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) { return true; }
    rest.remove_prefix(end + 1);
  }
  return std::ranges::all_of(rest.substr(0, rest.find('\n')),
                             [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

bool hasColumns(const CheckedKernel& kernel, const verdict::Place& place) {
  const std::string* const text = textOf(kernel, place.file);
  const SourceRange& range = place.range;
  return text != nullptr && range.column > 0 && isAscii(*text, range.line) && isAscii(*text, range.endLine);
}

Json artifactAt(const std::string& file) {
  const std::filesystem::path path = shownPath(file);
  return {{"uri", (path.is_absolute() ? "file://" : "") + linkTo(path.generic_string())}};
}

Json region(const SourceRange& range, bool columns) {
  Json json = {{"startLine", range.line}};
  if (columns) { json["startColumn"] = range.column; }
  if (range.endLine > range.line) { json["endLine"] = range.endLine; }
  if (columns && range.endLine >= range.line && (range.endLine > range.line || range.endColumn > range.column)) {
    json["endColumn"] = range.endColumn;
  }
  return json;
}

std::string sentences(const Diagnostic& one) {
  return one.remedy.empty() ? one.message : fmt::format("{}\n{}", one.message, one.remedy);
}

Json resultOf(const CheckedKernel& kernel, const Diagnostic& one) {
  Json json = {
      {"ruleId", ruleOf(one)}, {"level", kSarifLevels.at(at(one.weight))}, {"message", {{"text", sentences(one)}}}};
  if (!one.place.file.empty()) {
    Json physical = {{"artifactLocation", artifactAt(one.place.file)}};
    if (one.place.range.valid()) { physical["region"] = region(one.place.range, hasColumns(kernel, one.place)); }
    json["locations"] = Json::array({{{"physicalLocation", std::move(physical)}}});
  }
  const bool exact = std::ranges::all_of(
      one.fix, [&](const faults::TextEdit& edit) { return hasColumns(kernel, {one.place.file, edit.at}); });
  if (one.fix.empty() || !exact) { return json; }
  Json replacements = Json::array();
  for (const faults::TextEdit& edit : one.fix) {
    Json deleted = {{"startLine", edit.at.line},
                    {"startColumn", edit.at.column},
                    {"endLine", edit.at.endLine},
                    {"endColumn", edit.at.endColumn}};
    replacements.push_back({{"deletedRegion", std::move(deleted)}, {"insertedContent", {{"text", edit.text}}}});
  }
  json["fixes"] = Json::array({{{"artifactChanges", Json::array({{{"artifactLocation", artifactAt(one.place.file)},
                                                                  {"replacements", std::move(replacements)}}})}}});
  return json;
}

/// What GitHub would take for an end of the value.
std::string githubValue(std::string_view text, bool ofProperty) {
  std::string made;
  for (const char c : text) {
    const bool special = c == '%' || c == '\r' || c == '\n' || (ofProperty && (c == ':' || c == ','));
    made += special ? fmt::format("%{:02X}", static_cast<unsigned char>(c)) : std::string(1, c);
  }
  return made;
}

}  // namespace

nlohmann::ordered_json sarifOf(const std::vector<CheckedKernel>& kernels) {
  Json results = Json::array(), notifications = Json::array(), rules = Json::array();
  std::set<std::string> known;
  for (const CheckedKernel& kernel : kernels) {
    for (const Diagnostic& one : diagnosticsOf(kernel)) {
      if (one.weight == Weight::Refusal) {
        Json notification = {{"level", "error"}, {"message", {{"text", sentences(one)}}}};
        if (!one.place.file.empty()) {
          Json physical = {{"artifactLocation", artifactAt(one.place.file)}};
          if (one.place.range.valid()) { physical["region"] = region(one.place.range, false); }
          notification["locations"] = Json::array({{{"physicalLocation", std::move(physical)}}});
        }
        notifications.push_back(std::move(notification));
        continue;
      }
      if (known.insert(ruleOf(one)).second) {
        Json rule = {{"id", ruleOf(one)}};
        if (!one.kind.empty() && !one.title.empty()) { rule["shortDescription"] = {{"text", one.title}}; }
        rules.push_back(std::move(rule));
      }
      results.push_back(resultOf(kernel, one));
    }
  }
  const bool whole = notifications.empty();
  Json driver = {{"name", "Haloscope"}, {"version", HALOSCOPE_VERSION}, {"rules", std::move(rules)}};
  Json run = {
      {"tool", {{"driver", std::move(driver)}}},
      {"invocations",
       Json::array({{{"executionSuccessful", whole}, {"toolExecutionNotifications", std::move(notifications)}}})},
      {"columnKind", "utf16CodeUnits"},
      {"results", std::move(results)}};
  return {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
          {"version", "2.1.0"},
          {"runs", Json::array({std::move(run)})}};
}

std::string githubAnnotations(const std::vector<CheckedKernel>& kernels) {
  std::string text;
  for (const CheckedKernel& kernel : kernels) {
    for (const Diagnostic& one : diagnosticsOf(kernel)) {
      text += fmt::format("::{} ", kGithubLevels.at(at(one.weight)));
      if (!one.place.file.empty()) { text += fmt::format("file={},", githubValue(shownPath(one.place.file), true)); }
      const SourceRange& range = one.place.range;
      if (range.valid()) { text += fmt::format("line={},", range.line); }
      if (hasColumns(kernel, one.place)) { text += fmt::format("col={},", range.column); }
      text += fmt::format("title={}::{}\n", githubValue("Haloscope: " + ruleOf(one), true),
                          githubValue(sentences(one), false));
    }
  }
  return text;
}

}  // namespace haloscope
