#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "catalogue/KernelFile.h"
#include "catalogue/LimitSuite.h"
#include "figures/CodeReport.h"
#include "figures/RungCosts.h"
#include "measuring/RecordedLimits.h"
#include "program/LineDiff.h"

namespace haloscope {

/// The sources of two rungs, line by line. Lines before the first one of code are left out.
struct SourceDifference {
  struct Source {
    std::string id, text;
    int firstLine = 1;
    bool operator==(const Source&) const = default;
  };
  Source below, above;  ///< the same for the lowest rung
  std::vector<LinePair> pairs;

  [[nodiscard]] bool alone() const { return below == above; }
};
[[nodiscard]] SourceDifference::Source sourceOf(const KernelFile& file);
[[nodiscard]] SourceDifference differenceOf(SourceDifference::Source below, SourceDifference::Source above);

/// What NVIDIA's compiler reported of a text.
struct RungCode {
  figures::CodeReport report;
  std::string text;
};

struct ClimbRows;

/// What the tab of the climb knows about the rungs. Each map is by variant.
struct ClimbView {
  std::vector<measuring::RecordedLimit> recorded;  ///< what the program ships with
  std::vector<LimitClass> classes;                 ///< of the suite of limits
  std::vector<measuring::RecordedLimit> measured;  ///< on this machine's GPU
  std::size_t measurements = 0;                    ///< changes with `measured`

  // Filled by the App while the tab is in front.
  std::map<std::string, std::shared_ptr<const figures::RungCosts>> costs;
  std::map<std::string, RungCode> code;  ///< for `target`
  figures::CodeTarget target;
  std::string compilerMissing;                         ///< why there are no registers, one sentence
  bool counting = false;                               ///< more costs come
  std::shared_ptr<const ClimbRows> rows;               ///< climbRows() of this state; null before the first
  std::shared_ptr<const SourceDifference> difference;  ///< what the chosen rung changed; null: none is chosen
  std::string own;  ///< the opened file that was on screen last, see `costs`; empty: none
};

}  // namespace haloscope
