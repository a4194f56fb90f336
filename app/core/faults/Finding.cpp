#include "faults/Finding.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <tuple>

#include "language/Text.h"

namespace haloscope::faults {

SourceRange placeOf(const Finding& finding, const AlsoAt& also) {
  return also.other.valid() && also.where == finding.where ? also.other : also.where;
}

std::string unsupportedMessage(std::string problem) {
  const std::string_view kPrefix = tr("unsupported: ");
  return problem.starts_with(kPrefix) ? problem.substr(kPrefix.size()) : problem;
}

std::string Finding::text() const { return remedy.empty() ? message : message + "; " + remedy; }

void Finding::reach(const OutputCell& cell, std::size_t listed) {
  ++outputCount;
  if (outputs.size() < listed) { outputs.push_back(cell); }
  if (!reached.empty() && reached.back().object == cell.object && reached.back().end == cell.index) {
    ++reached.back().end;
  } else {
    reached.push_back({cell.object, cell.index, cell.index + 1});
  }
}

bool Finding::reaches(const OutputCell& cell) const {
  const auto after = std::ranges::upper_bound(reached, std::tuple(cell.object, cell.index), {},
                                              [](const OutputRun& run) { return std::tuple(run.object, run.begin); });
  if (after == reached.begin()) { return false; }
  const OutputRun& run = *std::prev(after);
  return run.object == cell.object && cell.index < run.end;
}

}  // namespace haloscope::faults
