#include "grading/Tally.h"

#include <fmt/format.h>

#include <algorithm>

#include "language/Text.h"

namespace haloscope::grading {

std::vector<KindTally> tallyOf(const Grading& grading) {
  std::vector<KindTally> tallies;
  for (std::size_t i = 0; i < grading.rows.size(); ++i) {
    for (const Mark* mark : grading.rows[i].record.marks()) {
      auto tally = std::ranges::find(tallies, mark->kind, &KindTally::kind);
      if (tally == tallies.end()) { tally = tallies.insert(tallies.end(), {mark->kind, mark->title}); }
      if (tally->rows.empty() || tally->rows.back() != i) { tally->rows.push_back(i); }
    }
  }
  std::ranges::stable_sort(tallies, std::ranges::greater(), [](const KindTally& one) { return one.rows.size(); });
  return tallies;
}

std::string toTallyTable(const Grading& grading) {
  std::string text;
  for (const KindTally& tally : tallyOf(grading)) {
    text += trf("{:>4} of {}: {}", tally.rows.size(), grading.rows.size(), tally.title) + "\n";
  }
  return text.empty() ? text : tr("hand-ins with a finding of this kind:\n") + text;
}

}  // namespace haloscope::grading
