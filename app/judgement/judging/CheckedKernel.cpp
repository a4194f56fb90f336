#include "judging/CheckedKernel.h"

#include <algorithm>

#include "checking/WrongResult.h"
#include "language/Text.h"

namespace haloscope::judging {

SourceError atNowhere(const std::string& file, const std::string& message) { return {file, {}, message}; }

std::string withoutName(const std::string& message, const std::string& name) {
  return message.starts_with(name + ": ") ? message.substr(name.size() + 2) : message;
}

bool CheckedKernel::hasRemark(verdict::Weight weight) const {
  return std::ranges::find(remarks, weight, &verdict::Remark::weight) != remarks.end();
}

void CheckedKernel::addNote(std::string note) { remarks.push_back({.place = {file, {}}, .message = std::move(note)}); }

verdict::Verdict verdictOf(const CheckedKernel& kernel) {
  using verdict::Kind;
  verdict::Verdict verdict{.scope = kernel.scope};
  const auto fault = std::ranges::find(kernel.remarks, verdict::Weight::Fault, &verdict::Remark::weight);
  if (!kernel.checked()) {
    verdict.kind = fault != kernel.remarks.end() ? Kind::Fault : kernel.readable ? Kind::NotExecuted : Kind::Unread;
    verdict.place.file = kernel.file;
    if (!kernel.errors.empty()) { verdict.place = {kernel.errors.front().file(), kernel.errors.front().where()}; }
    return verdict;
  }
  const checking::CheckReport& report = *kernel.report;
  verdict.evidence = report.evidence;
  verdict.doubt = report.doubt;
  const auto isFault = [](const faults::Finding& one) { return !checking::isWrongResult(one); };
  const auto finding = std::ranges::find_if(report.findings, isFault);
  const verdict::Evidence* const decisive = verdict.evidence.decisive();
  const auto isTooLong = [](const faults::Finding& one) { return one.kind == faults::FindingKind::Unsupported; };
  if (!report.findings.empty() && std::ranges::all_of(report.findings, isTooLong) && fault == kernel.remarks.end()) {
    verdict.kind = Kind::NotExecuted;
    verdict.place = {kernel.file, finding->where};
  } else if (finding != report.findings.end() || fault != kernel.remarks.end()) {
    verdict.kind = Kind::Fault;
    verdict.place = finding != report.findings.end() ? verdict::Place{kernel.file, finding->where} : fault->place;
  } else if (!report.findings.empty() || (decisive != nullptr && decisive->outcome == verdict::Outcome::Differs)) {
    verdict.kind = Kind::Wrong;
    verdict.place = {kernel.file,
                     report.findings.empty() ? report.program->kernelRange : report.findings.front().where};
  } else if (kernel.hasRemark(verdict::Weight::Refusal)) {
    verdict.kind = Kind::NotExecuted;
  } else if (!report.doubt.empty() || decisive == nullptr) {
    verdict.kind = Kind::NotCompared;
  } else if (decisive->outcome == verdict::Outcome::Unlike) {
    verdict.kind = Kind::Disagrees;
  } else {
    verdict.kind = rowOf(decisive->basis).says ? Kind::Right : Kind::Consistent;
  }
  return verdict;
}

void checkKernel(const KernelFile& file, const Bindings& bindings, CheckedKernel& row,
                 const checking::CheckOptions& options) {
  try {
    row.text = file;
    row.bindings = file.bind(bindings);
    row.report = checking::check(file, bindings, options);
    row.assumptions.insert(row.assumptions.end(), row.report->notes.begin(), row.report->notes.end());
    if (row.kernel.empty()) { row.kernel = row.report->kernel; }
  } catch (const SourceError& error) { row.errors.push_back(error); } catch (const InputError& error) {
    row.readable = true;
    row.errors.push_back(atNowhere(row.file, withoutName(error.what(), file.id)));
  }
}

}  // namespace haloscope::judging
