#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "grading/Grader.h"

/// A grading as autograders and build servers read it. A hand-in has passed only if its verdict is Verdict::Passed:
/// what was not compared is not right.
namespace haloscope::grading {

/// Gradescope's results.json: a test for each hand-in, worth `points` in all; what students see is plain text.
[[nodiscard]] nlohmann::ordered_json toGradescope(const Grading& grading, double points);

/// JUnit XML: a test case for each hand-in. What was not compared is skipped, what could not be judged an error.
/// `suite`: the folder's name.
[[nodiscard]] std::string toJunit(const Grading& grading, const std::string& suite);

}  // namespace haloscope::grading
