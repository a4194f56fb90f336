#pragma once

#include <string>

#include "grading/Verdict.h"

namespace haloscope::grading {

/// What a student may look at next, in a sentence or two, where a finding of this kind (Mark::kind) was found. Empty:
/// the finding says it all. In the current language.
[[nodiscard]] std::string nextStep(const std::string& kind);

/// What a teacher does about hand-ins with this verdict.
[[nodiscard]] std::string nextStep(Verdict verdict);

}  // namespace haloscope::grading
