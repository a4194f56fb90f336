#pragma once

#include <stop_token>

#include "catalogue/BugLab.h"
#include "checking/Check.h"

/// Whether a task of the bug lab is solved. Having no findings is not enough: an empty kernel has none either.
namespace haloscope::checking {

/// Judges a text that someone writes to mend a task. Its code alone counts: it runs under the header of the mended
/// twin, at its default sizes, must have no findings there, and must compute what the twin does on the same inputs, up
/// to rounding. Throws Cancelled when asked to stop.
[[nodiscard]] LabVerdict judge(const BugTask& task, const std::string& text, const std::stop_token& stop = {});

/// As check() does; of a task whose text was changed, with the verdict on it.
[[nodiscard]] CheckReport checkInLab(const BugLab& lab, const experiment::Experiment& experiment,
                                     const std::stop_token& stop = {});

}  // namespace haloscope::checking
