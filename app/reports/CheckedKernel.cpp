#include "reports/CheckedKernel.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "checking/WrongResult.h"
#include "faults/Finding.h"
#include "judging/AgainstReference.h"
#include "language/Text.h"
#include "options/Dim3Json.h"
#include "pages/Print.h"
#include "program/Launch.h"

namespace haloscope {

namespace {

using Json = nlohmann::ordered_json;
using judging::CheckedKernel;

constexpr std::size_t kThreadsShown = 4;
constexpr std::size_t kOutputsShown = 4;
constexpr std::size_t kPlacesShown = 12;
constexpr std::size_t kFindingsShown = 50;
constexpr std::size_t kAssumptionsShown = 20;

std::string place(const CheckedKernel& checked, const SourceRange& where) {
  return where.valid() ? fmt::format("{}:{}:{}", checked.file, where.line, where.column) : checked.file;
}

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
               {"message", finding.message},
               {"threads", std::move(threads)},
               {"interval", finding.interval},
               {"occurrences", finding.occurrences},
               {"outputs", std::move(outputs)},
               {"output_count", finding.outputCount}};
  if (finding.other.valid()) { json["other"] = {{"line", finding.other.line}, {"column", finding.other.column}}; }
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

void printFinding(const CheckedKernel& checked, const faults::Finding& finding) {
  printText("{}: {}: {}\n", place(checked, finding.where), faults::rowOf(finding.kind).name, finding.message);
  if (!finding.threads.empty()) {
    std::string threads;
    for (std::size_t i = 0; i < std::min(finding.threads.size(), kThreadsShown); ++i) {
      threads += (i == 0 ? "" : ", ") + trf("thread {} of block {}", haloscope::text(finding.threads[i].thread),
                                            haloscope::text(finding.threads[i].block));
    }
    trnPrint("    threads: {}; {} time in total\n", "    threads: {}; {} times in total\n", finding.occurrences,
             threads, finding.occurrences);
  }
  if (!finding.also.empty()) {
    std::string places;
    for (std::size_t i = 0; i < std::min(finding.also.size(), kPlacesShown); ++i) {
      const SourceRange where = faults::placeOf(finding, finding.also[i]);
      places += fmt::format("{}{}:{}", i == 0 ? "" : ", ", where.line, where.column);
    }
    trPrint("    also: at {}{}\n", places, finding.also.size() > kPlacesShown ? ", …" : "");
  }
  if (finding.outputCount > 0) {
    std::string cells;
    const std::vector<std::string> names = checked.report->outputNames(finding);
    for (std::size_t i = 0; i < std::min(names.size(), kOutputsShown); ++i) {
      cells += (i == 0 ? "" : ", ") + names[i];
    }
    trnPrint("    reaches {} output cell: {}{}\n", "    reaches {} output cells: {}{}\n", finding.outputCount,
             finding.outputCount, cells, finding.outputCount > kOutputsShown ? ", …" : "");
  }
}

/// What the result was compared with; a wrong one has a finding, which says so.
void printResult(const CheckedKernel& checked) {
  const checking::CheckReport& report = *checked.report;
  const bool compared = !report.doubt.empty() || !report.comparedAt.empty();
  const bool wrong = std::ranges::any_of(report.findings, checking::isWrongResult);
  if (wrong || (report.matchesReference && !compared)) { return; }
  if (!report.doubt.empty()) {
    trPrint("{}: {}: {}\n", checked.file, checked.kernel, report.doubt);
  } else if (report.agreesWithReference && !report.comparedAt.empty()) {
    trPrint("{}: {} computes the same as {} from the same data, at {}\n", checked.file, checked.kernel,
            fmt::join(report.agreesWith, ", "), judging::sizesText(report.comparedAt));
  } else if (!report.ownFunction.empty()) {
    trPrint("{}: {} matches the program's own function {}\n", checked.file, checked.kernel, report.ownFunction);
  } else if (!report.agreesWith.empty()) {
    trPrint("{}: {} computes the same as {} from the same data\n", checked.file, checked.kernel,
            fmt::join(report.agreesWith, ", "));
  } else if (!report.ownCheck.empty()) {
    trPrint("{}: the program's own comparison says: {}\n", checked.file, report.ownCheck);
  } else if (checked.faultless() && !report.judged()) {
    if (report.uniform) { printText("{}: {}\n", checked.file, report.compared); }
    trPrint("{}: nothing says what {} should compute; --reference FILE.cu[:KERNEL] names a kernel that does\n",
            checked.file, checked.kernel);
  }
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

std::string verdict(const CheckedKernel& kernel) {
  if (!kernel.checked()) {
    return kernel.readable ? trf("cannot be checked: {}", kernel.errors.front().message()) : tr("cannot be read");
  }
  if (!kernel.faultless() || !kernel.refusals.empty()) {
    std::string text = kernel.refusals.empty() ? std::string() : kernel.refusals.front();
    if (!kernel.report->findings.empty()) {
      text += (text.empty() ? "" : "; ") + countedKinds(kernel.report->findings);
    }
    if (const std::size_t count = kernel.hostFaults.size(); count > 0) {
      text += (text.empty() ? "" : ", ") + trn("{} finding of the program", "{} findings of the program", count, count);
    }
    return text;
  }
  if (kernel.report->judged()) { return tr("clean"); }
  if (!kernel.report->doubt.empty()) { return tr("no fault found; not known to be right: see above"); }
  if (!kernel.report->disagreesWith.empty()) {
    return trf("its result differs from that of {}; which is right is not known",
               fmt::join(kernel.report->disagreesWith, ", "));
  }
  return kernel.report->uniform ? tr("no fault found; no reference: only that points are computed alike was tested")
                                : tr("no fault found; its result was not checked");
}

std::string nameOf(const CheckedKernel& kernel) {
  return kernel.kernel.empty() ? kernel.shown : kernel.shown + ":" + kernel.kernel;
}

/// "3 kernels in 2 files: 1 clean, 2 with findings".
std::string sums(const std::vector<CheckedKernel>& kernels) {
  std::set<std::string> files;
  std::size_t named = 0;
  std::size_t clean = 0;
  std::size_t notCompared = 0;
  std::size_t faulty = 0;
  std::size_t unread = 0;
  std::size_t refused = 0;
  for (const CheckedKernel& one : kernels) {
    files.insert(one.file);
    named += one.kernel.empty() ? 0 : 1;
    if (!one.checked()) {
      ++unread;
    } else if (!one.faultless()) {
      ++faulty;
    } else if (!one.refusals.empty()) {
      ++refused;
    } else {
      ++(one.report->judged() ? clean : notCompared);
    }
  }
  std::string text = trf("{} in {}: {} clean", trn("{} kernel", "{} kernels", named, named),
                         trn("{} file", "{} files", files.size(), files.size()), clean);
  if (notCompared > 0) { text += trf(", {} without a fault but not compared", notCompared); }
  if (faulty > 0) { text += trf(", {} with findings", faulty); }
  if (refused > 0) { text += trf(", {} whose program cannot be executed", refused); }
  if (unread > 0) { text += trf(", {} that could not be checked", unread); }
  return text;
}

}  // namespace

nlohmann::ordered_json toJson(const CheckedKernel& checked) {
  Json json = {{"file", checked.file}, {"kernel", checked.kernel}};
  if (!checked.refusals.empty()) { json["error"] = checked.refusals.front(); }
  if (!checked.report) {
    json["error"] = checked.errors.front().what();
    json["findings"] = Json::array();
    for (const SourceError& error : checked.errors) { json["findings"].push_back(unsupported(error)); }
    json["matches_reference"] = nullptr;
    json["notes"] = checked.notes;
    json["refusals"] = checked.refusals;
    return json;
  }
  json["findings"] = Json::array();
  for (const faults::Finding& finding : checked.report->findings) {
    json["findings"].push_back(toJson(checked, finding));
  }
  json["matches_reference"] =
      checked.report->matchesReference ? Json(*checked.report->matchesReference) : Json(nullptr);
  json["max_error"] = checked.report->matchesReference && std::isfinite(checked.report->maxError)
                          ? Json(checked.report->maxError)
                          : Json(nullptr);
  json["seconds"] = checked.report->seconds;
  json["assumptions"] = checked.assumptions;
  json["notes"] = checked.notes;
  json["watched"] = checked.report->watched;
  json["compared"] = checked.report->compared;
  json["compared_at"] = Json::array();
  for (const checking::ComparedSize& one : checked.report->comparedAt) {
    json["compared_at"].push_back({{"sizes", one.sizes}, {"points", one.points}});
  }
  json["doubt"] = checked.report->doubt;
  json["agrees_with"] = checked.report->agreesWith;
  json["disagrees_with"] = checked.report->disagreesWith;
  json["own_function"] = checked.report->ownFunction;
  json["uniform"] = checked.report->uniform;
  json["own_check"] = checked.report->ownCheck;
  json["host_faults"] = checked.hostFaults;
  json["refusals"] = checked.refusals;
  return json;
}

void printDetails(const CheckedKernel& checked) {
  for (const SourceError& error : checked.errors) { printText(stderr, "haloscope: error: {}\n", error.what()); }
  for (const std::string& why : checked.refusals) { printText(stderr, "haloscope: error: {}\n", why); }
  for (const std::string& fault : checked.hostFaults) { printText("{}\n", fault); }
  for (const std::string& note : checked.notes) { trPrint("note: {}\n", note); }
  if (!checked.report) { return; }
  const std::vector<faults::Finding>& found = checked.report->findings;
  for (std::size_t i = 0; i < std::min(found.size(), kFindingsShown); ++i) { printFinding(checked, found[i]); }
  if (found.size() > kFindingsShown) {
    trPrint("{}: and {} more findings (--json lists all)\n", checked.file, found.size() - kFindingsShown);
  }
  printResult(checked);
  const std::vector<std::string>& assumed = checked.assumptions;
  const std::string name = checked.kernel.empty() ? checked.file : checked.file + ":" + checked.kernel;
  if (!assumed.empty()) {
    trPrint("{}: assumed: {}\n", name,
            fmt::join(assumed.begin(),
                      assumed.begin() + static_cast<std::ptrdiff_t>(std::min(assumed.size(), kAssumptionsShown)), " "));
  }
  if (assumed.size() > kAssumptionsShown) {
    trPrint("{}: and {} more assumptions (--json lists all)\n", name, assumed.size() - kAssumptionsShown);
  }
}

void printTable(const std::vector<CheckedKernel>& kernels) {
  std::size_t width = 6;
  for (const CheckedKernel& kernel : kernels) { width = std::max(width, nameOf(kernel).size()); }
  printText("{:<{}}  {:<12}  {}\n", tr("kernel"), width, tr("result"), tr("findings"));
  for (const CheckedKernel& kernel : kernels) {
    printText("{:<{}}  {:<12}  {}\n", nameOf(kernel), width, resultOf(kernel).word, verdict(kernel));
  }
  printText("{}\n", sums(kernels));
}

}  // namespace haloscope
