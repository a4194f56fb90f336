#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "grading/Grader.h"

/// A grading for other programs, and for a terminal.
namespace haloscope::grading {

/// A row a hand-in, with a row of headings. Fields are quoted where they must be; one that a spreadsheet would take for
/// a formula begins with an apostrophe.
[[nodiscard]] std::string toCsv(const Grading& grading);
[[nodiscard]] nlohmann::ordered_json toJson(const Grading& grading);
/// A line a hand-in, then the totals.
[[nodiscard]] std::string toTable(const Grading& grading);

}  // namespace haloscope::grading
