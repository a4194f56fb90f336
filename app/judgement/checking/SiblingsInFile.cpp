#include "checking/SiblingsInFile.h"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <vector>

#include "checking/Siblings.h"
#include "program/SourceLocation.h"

namespace haloscope::checking {

namespace {

/// Each of them is checked, too.
constexpr std::size_t kMostOthers = 8;

}  // namespace

void compareInFile(const experiment::Experiment& experiment, std::span<const KernelFile> others, CheckReport& report,
                   const std::stop_token& stop) {
  const bool asItIs = experiment.choice.withoutBarriers.empty() && report.atChosenSizes && report.notChecked.empty();
  if (others.empty() || report.program == nullptr || !asItIs) { return; }
  std::deque<CheckReport> reports;  // whose places stay
  KernelFile own = experiment.file;
  own.data.reset();  // the others do not have the data of its launch
  std::vector<Sibling> siblings{{.file = &own, .bindings = experiment.bindings, .report = &report}};
  for (const KernelFile& other : others.first(std::min(others.size(), kMostOthers))) {
    try {
      const Bindings bindings = other.bind({});
      reports.push_back(check(other, bindings, {.stop = stop}));
      siblings.push_back({.file = &other, .bindings = bindings, .report = &reports.back()});
    } catch (const UserError&) {
      continue;  // what cannot be launched or read says so where it is shown
    }
  }
  compareSiblings(siblings, stop);
}

}  // namespace haloscope::checking
