#pragma once

#include <string>

#include "grading/Verdict.h"

namespace haloscope::grading {

/// What a teacher does about hand-ins with this verdict.
[[nodiscard]] std::string nextStep(Verdict verdict);

}  // namespace haloscope::grading
