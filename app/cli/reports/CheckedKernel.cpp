#include "reports/CheckedKernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "faults/Finding.h"
#include "language/Text.h"
#include "program/Launch.h"
#include "tables/Dim3Json.h"
#include "text/Print.h"

namespace haloscope {

namespace {

using Json = nlohmann::ordered_json;
using judging::CheckedKernel;

constexpr std::size_t kThreadsShown = 4;
constexpr std::size_t kOutputsShown = 4;
constexpr std::size_t kPlacesShown = 12;
constexpr std::size_t kFindingsShown = 50;

Json toJson(const CheckedKernel& checked, const faults::Finding& finding) {
  Json threads = Json::array();
  for (const faults::ThreadPlace& thread : finding.threads) {
    threads.push_back({{"block", toJson(thread.block)}, {"thread", toJson(thread.thread)}});
  }
  Json outputs = Json::array();
  for (const std::string& cell : checked.report->outputNames(finding)) { outputs.push_back(cell); }
  Json json = {{"kind", faults::rowOf(finding.kind).name},
               {"file", checked.file},
               {"line", finding.where.line},
               {"column", finding.where.column},
               {"message", finding.text()},
               {"remedy", finding.remedy},
               {"threads", std::move(threads)},
               {"interval", finding.interval},
               {"occurrences", finding.occurrences},
               {"outputs", std::move(outputs)},
               {"output_count", finding.outputCount}};
  if (finding.other.valid()) { json["other"] = {{"line", finding.other.line}, {"column", finding.other.column}}; }
  json["fix"] = Json::array();
  for (const faults::TextEdit& edit : finding.fix) {
    json["fix"].push_back({{"line", edit.at.line},
                           {"column", edit.at.column},
                           {"end_line", edit.at.endLine},
                           {"end_column", edit.at.endColumn},
                           {"text", edit.text}});
  }
  json["also"] = Json::array();
  for (const faults::AlsoAt& place : finding.also) {
    Json also = {{"line", place.where.line}, {"column", place.where.column}, {"message", place.message}};
    if (place.other.valid()) { also["other"] = {{"line", place.other.line}, {"column", place.other.column}}; }
    json["also"].push_back(std::move(also));
  }
  return json;
}

/// What keeps a kernel from being read, in the form of a finding.
Json unsupported(const SourceError& error) {
  return {{"kind", faults::rowOf(faults::FindingKind::Unsupported).name},
          {"file", error.file()},
          {"line", error.where().line},
          {"column", error.where().column},
          {"message", faults::unsupportedMessage(error.message())},
          {"threads", Json::array()},
          {"outputs", Json::array()}};
}

Diagnostic diagnosticOf(const CheckedKernel& checked, const faults::Finding& finding) {
  Diagnostic made{.place = {checked.file, finding.where},
                  .kind = faults::rowOf(finding.kind).name,
                  .title = tr(faults::rowOf(finding.kind).title),
                  .message = finding.message,
                  .remedy = finding.remedy,
                  .fix = finding.fix};
  if (!finding.threads.empty()) {
    std::string threads;
    for (std::size_t i = 0; i < std::min(finding.threads.size(), kThreadsShown); ++i) {
      threads += (i == 0 ? "" : ", ") + trf("thread {} of block {}", haloscope::text(finding.threads[i].thread),
                                            haloscope::text(finding.threads[i].block));
    }
    // The thread is the first point's alone.
    made.details.push_back(finding.kind == faults::FindingKind::WrongResult
                               ? trf("the first is stored by {}", threads)
                               : trn("threads: {}; {} time in total", "threads: {}; {} times in total",
                                     finding.occurrences, threads, finding.occurrences));
  }
  if (!finding.also.empty()) {
    std::string places;
    for (std::size_t i = 0; i < std::min(finding.also.size(), kPlacesShown); ++i) {
      const SourceRange where = faults::placeOf(finding, finding.also[i]);
      places += fmt::format("{}{}:{}", i == 0 ? "" : ", ", where.line, where.column);
    }
    made.details.push_back(trf("also: at {}{}", places, finding.also.size() > kPlacesShown ? ", …" : ""));
  }
  if (finding.outputCount > 0) {
    std::string cells;
    const std::vector<std::string> names = checked.report->outputNames(finding);
    for (std::size_t i = 0; i < std::min(names.size(), kOutputsShown); ++i) {
      cells += (i == 0 ? "" : ", ") + names[i];
    }
    made.details.push_back(trn("reaches {} output cell: {}{}", "reaches {} output cells: {}{}", finding.outputCount,
                               finding.outputCount, cells, finding.outputCount > kOutputsShown ? ", …" : ""));
  }
  return made;
}

/// "2 race-shared, 1 out-of-bounds", gravest first.
std::string countedKinds(const std::vector<faults::Finding>& findings) {
  std::map<faults::FindingKind, std::size_t> counts;
  for (const faults::Finding& finding : findings) { ++counts[finding.kind]; }
  std::string text;
  for (const auto& [kind, count] : counts) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, faults::rowOf(kind).name);
  }
  return text;
}

/// What is wrong with it, or what its verdict rests on.
std::string verdictText(const CheckedKernel& kernel, const verdict::Verdict& verdict) {
  using verdict::Kind;
  switch (verdict.kind) {
    case Kind::Unread:
      return tr("cannot be read");
    case Kind::NotExecuted: {
      const auto refusal = std::ranges::find(kernel.remarks, verdict::Weight::Refusal, &verdict::Remark::weight);
      if (refusal != kernel.remarks.end()) { return verdict::textOf(*refusal); }
      return kernel.errors.empty() ? tr("cannot be checked")
                                   : trf("cannot be checked: {}", kernel.errors.front().message());
    }
    case Kind::Fault:
    case Kind::Wrong: {
      std::string text = kernel.report ? countedKinds(kernel.report->findings) : std::string();
      const auto faults = static_cast<std::uint64_t>(
          std::ranges::count(kernel.remarks, verdict::Weight::Fault, &verdict::Remark::weight));
      if (faults > 0) {
        text +=
            (text.empty() ? "" : ", ") + trn("{} finding of the program", "{} findings of the program", faults, faults);
      }
      return text.empty() ? tr("its result is wrong") : text;
    }
    case Kind::Right:
      return trf("right: {}", verdict::clause(verdict));
    default:
      return trf("no fault: {}", verdict::clause(verdict));
  }
}

Ink inkOf(verdict::Kind kind) {
  using verdict::Kind;
  switch (kind) {
    case Kind::Right:
      return Ink::Good;
    case Kind::Fault:
    case Kind::Wrong:
      return Ink::Fault;
    case Kind::Unread:
    case Kind::NotExecuted:
    case Kind::Disagrees:
      return Ink::Warning;
    default:
      return Ink::Plain;
  }
}

std::string nameOf(const CheckedKernel& kernel) {
  return kernel.kernel.empty() ? kernel.shown : kernel.shown + ":" + kernel.kernel;
}

/// "3 kernels in 2 files: 1 right, 2 with findings".
std::string sums(const std::vector<CheckedKernel>& kernels) {
  using verdict::Kind;
  std::set<std::string> files;
  std::size_t named = 0;
  std::map<Kind, std::size_t> counts;
  for (const CheckedKernel& one : kernels) {
    files.insert(one.file);
    named += one.kernel.empty() ? 0 : 1;
    ++counts[verdictOf(one).kind];
  }
  const std::size_t open = counts[Kind::Consistent] + counts[Kind::NotCompared] + counts[Kind::Disagrees];
  const std::size_t faulty = counts[Kind::Fault] + counts[Kind::Wrong];
  std::string text = trf("{} in {}: {} right", trn("{} kernel", "{} kernels", named, named),
                         trn("{} file", "{} files", files.size(), files.size()), counts[Kind::Right]);
  if (open > 0) { text += trf(", {} without a fault but not known to be right", open); }
  if (faulty > 0) { text += trf(", {} with findings", faulty); }
  if (counts[Kind::NotExecuted] > 0) { text += trf(", {} that could not be executed", counts[Kind::NotExecuted]); }
  if (counts[Kind::Unread] > 0) { text += trf(", {} that could not be read", counts[Kind::Unread]); }
  return text;
}

Json textsOf(const CheckedKernel& checked, verdict::Weight weight) {
  Json texts = Json::array();
  for (const verdict::Remark& one : checked.remarks) {
    if (one.weight == weight) { texts.push_back(verdict::textOf(one)); }
  }
  return texts;
}

Json toJson(const verdict::Verdict& verdict) {
  static constexpr std::array kOutcomes{"agrees", "differs", "unlike"};
  Json evidence = Json::array();
  for (const verdict::Evidence& one : verdict.evidence.all()) {
    Json at = Json::array();
    for (const verdict::ComparedSize& size : one.at) { at.push_back({{"sizes", size.sizes}, {"points", size.points}}); }
    evidence.push_back({{"basis", rowOf(one.basis).word},
                        {"outcome", kOutcomes.at(static_cast<std::size_t>(one.outcome))},
                        {"with", one.with},
                        {"at", std::move(at)},
                        {"on_own_data_only", one.onOwnDataOnly}});
  }
  return {{"kind", wordOf(verdict.kind)},
          {"evidence", std::move(evidence)},
          {"file", verdict.place.file},
          {"line", verdict.place.range.line},
          {"column", verdict.place.range.column},
          {"scope", wordOf(verdict.scope)},
          {"doubt", verdict.doubt}};
}

}  // namespace

nlohmann::ordered_json toJson(const CheckedKernel& checked) {
  Json json = {{"file", checked.file}, {"kernel", checked.kernel}, {"verdict", toJson(verdictOf(checked))}};
  json["notes"] = textsOf(checked, verdict::Weight::Note);
  json["refusals"] = textsOf(checked, verdict::Weight::Refusal);
  json["host_faults"] = textsOf(checked, verdict::Weight::Fault);
  if (!json["refusals"].empty()) { json["error"] = json["refusals"].front(); }
  json["findings"] = Json::array();
  if (!checked.report) {
    json["error"] = checked.errors.front().what();
    for (const SourceError& error : checked.errors) { json["findings"].push_back(unsupported(error)); }
    json["matches_reference"] = nullptr;
    return json;
  }
  const checking::CheckReport& report = *checked.report;
  for (const faults::Finding& finding : report.findings) { json["findings"].push_back(toJson(checked, finding)); }
  const std::optional<bool> matches = report.evidence.matches();
  json["matches_reference"] = matches ? Json(*matches) : Json(nullptr);
  json["max_error"] = matches && std::isfinite(report.maxError) ? Json(report.maxError) : Json(nullptr);
  json["seconds"] = report.seconds;
  json["assumptions"] = checked.assumptions;
  json["watched"] = report.watched;
  json["compared"] = report.compared;
  return json;
}

std::vector<Diagnostic> diagnosticsOf(const CheckedKernel& checked) {
  std::vector<Diagnostic> all;
  for (const SourceError& error : checked.errors) {
    all.push_back({.place = {error.file(), error.where()},
                   .weight = verdict::Weight::Refusal,
                   .kind = faults::rowOf(faults::FindingKind::Unsupported).name,
                   .message = error.message()});
  }
  for (const verdict::Remark& one : checked.remarks) { all.push_back(diagnosticOf(one)); }
  if (!checked.report) { return all; }
  for (const faults::Finding& one : checked.report->findings) { all.push_back(diagnosticOf(checked, one)); }
  const verdict::Verdict verdict = verdictOf(checked);
  if (verdict.kind == verdict::Kind::Wrong && checked.report->findings.empty()) {
    const faults::FindingRow& wrong = faults::rowOf(faults::FindingKind::WrongResult);
    all.push_back({.place = verdict.place,
                   .kind = wrong.name,
                   .title = tr(wrong.title),
                   .message = verdictText(checked, verdict)});
  }
  return all;
}

void printDetails(const CheckedKernel& checked, bool verbose, DiagnosticPrinter& printer) {
  for (const SourceError& error : checked.errors) { printText(stderr, "haloscope: error: {}\n", error.what()); }
  for (const verdict::Remark& one : checked.remarks) {
    if (one.weight == verdict::Weight::Refusal) {
      printText(stderr, "haloscope: error: {}\n", verdict::textOf(one));
    } else {
      printer.print(diagnosticOf(one));
    }
  }
  if (!checked.report) { return; }
  if (checked.text) { printer.use(checked.file, checked.text->text); }
  const std::vector<faults::Finding>& found = checked.report->findings;
  for (std::size_t i = 0; i < std::min(found.size(), kFindingsShown); ++i) {
    printer.print(diagnosticOf(checked, found[i]));
  }
  if (found.size() > kFindingsShown) {
    trPrint("{}: and {} more findings (--json lists all)\n", shownPath(checked.file), found.size() - kFindingsShown);
  }
  if (!verbose) { return; }
  const std::string name = nameOf(checked);
  for (const std::string& one : checked.assumptions) { trPrint("{}: assumed: {}\n", name, one); }
  for (const std::string& one : {checked.report->watched, checked.report->compared}) {
    if (!one.empty()) { printText("{}: {}\n", name, one); }
  }
}

void printTable(const std::vector<CheckedKernel>& kernels, bool verbose) {
  std::size_t width = 0;
  bool assumed = false, open = false;
  for (const CheckedKernel& kernel : kernels) { width = std::max(width, nameOf(kernel).size()); }
  for (const CheckedKernel& kernel : kernels) {
    const verdict::Verdict verdict = verdictOf(kernel);
    printInk(Ink::Strong, "{:<{}}", nameOf(kernel), width);
    printText("  ");
    printInk(inkOf(verdict.kind), "{}", verdictText(kernel, verdict));
    const bool proposed = verdict.scope == verdict::Scope::ProposedLaunch && verdict.kind >= verdict::Kind::Fault;
    if (proposed) { printText("{}", tr(" (its launch is assumed)")); }
    printText("\n");
    assumed = assumed || proposed;
    open = open || verdict.kind == verdict::Kind::NotCompared || verdict.kind == verdict::Kind::Consistent;
  }
  printText("{}\n", sums(kernels));
  if (assumed && !verbose) { printText("{}\n", tr("--verbose says what was assumed.")); }
  if (open) {
    printText("{}\n", tr("--reference FILE.cu[:KERNEL] names a kernel that says what the result should be."));
  }
}

}  // namespace haloscope
