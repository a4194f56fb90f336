#include "checking/WrongResult.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "language/Text.h"

namespace haloscope::checking {

bool isWrongResult(const faults::Finding& finding) { return finding.kind == faults::FindingKind::WrongResult; }

void addWrongResult(std::vector<faults::Finding>& findings, faults::Finding finding) {
  const auto known = std::ranges::find_if(findings, isWrongResult);
  if (known == findings.end()) {
    findings.push_back(std::move(finding));
    return;
  }
  if (finding.explained && !known->explained) { std::swap(*known, finding); }
  for (verdict::Evidence& one : finding.shownBy) {
    const auto same = [&](const verdict::Evidence& other) {
      return other.basis == one.basis && other.with == one.with;
    };
    if (std::ranges::any_of(known->shownBy, same)) { continue; }
    known->message += trf("; {} shows it, too", verdict::nameOf(one));
    known->shownBy.push_back(std::move(one));
  }
}

}  // namespace haloscope::checking
