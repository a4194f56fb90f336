#include "grading/AutograderFiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "checking/NextStep.h"
#include "language/Text.h"
#include "text/Html.h"
#include "text/Printable.h"

namespace haloscope::grading {

namespace {

using Json = nlohmann::ordered_json;

/// The sentence, then a line for each thing that was found, with what to look at next, and the first wrong cells.
std::string explained(const Record& record) {
  std::string text = printable(record.sentence) + "\n";
  for (const Mark* const mark : record.marks()) {
    const std::string place = mark->file.empty()    ? std::string()
                              : mark->where.valid() ? fmt::format("{}:{}: ", mark->file, mark->where.line)
                                                    : mark->file + ": ";
    text += fmt::format("\n{}{}: {}\n", printable(place), mark->kind, printable(mark->message));
    if (const std::string next = checking::nextStep(mark->kind); !next.empty()) { text += "  " + next + "\n"; }
  }
  for (const WrongCell& cell : record.wrongCells) {
    text += trf("{}: {:.9g} expected, {:.9g} computed", printable(cell.name), cell.expected, cell.computed) + "\n";
  }
  return text;
}

}  // namespace

Json toGradescope(const Grading& grading, double points) {
  Json tests = Json::array();
  const auto count = static_cast<double>(std::max<std::size_t>(1, grading.rows.size()));
  for (const GradedHandIn& row : grading.rows) {
    const bool passed = row.record.verdict == Verdict::Passed;
    tests.push_back({{"name", fmt::format("{}: {}", printable(row.handIn.name), tr(rowOf(row.record.verdict).title))},
                     {"score", passed ? points / count : 0.0},
                     {"max_score", points / count},
                     {"status", passed ? "passed" : "failed"},
                     {"output", explained(row.record)},
                     {"output_format", "text"},
                     {"visibility", "visible"}});
  }
  return {{"visibility", "visible"}, {"stdout_visibility", "hidden"}, {"tests", std::move(tests)}};
}

std::string toJunit(const Grading& grading, const std::string& suite) {
  std::size_t failures = 0, errors = 0, skipped = 0;
  std::string cases;
  for (const GradedHandIn& row : grading.rows) {
    const Record& record = row.record;
    cases += fmt::format("    <testcase classname=\"{}\" name=\"{}\"", escaped(suite), escaped(row.handIn.name));
    if (record.verdict == Verdict::Passed) {
      cases += "/>\n";
      continue;
    }
    const bool isSkipped = record.verdict == Verdict::NotCompared;
    const bool isFailure = record.verdict == Verdict::Findings || record.verdict == Verdict::WrongResult;
    ++(isSkipped ? skipped : isFailure ? failures : errors);
    const char* const tag = isSkipped ? "skipped" : isFailure ? "failure" : "error";
    const std::string type = isSkipped ? "" : fmt::format(" type=\"{}\"", rowOf(record.verdict).word);
    cases += fmt::format(">\n      <{} message=\"{}\"{}>{}</{}>\n    </testcase>\n", tag, escaped(record.sentence),
                         type, escapedLines(explained(record)), tag);
  }
  const std::string counts =
      fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\"", grading.rows.size(), failures, errors);
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"haloscope grade\" {0}>\n  <testsuite "
      "name=\"{1}\" {0} skipped=\"{2}\">\n{3}  </testsuite>\n</testsuites>\n",
      counts, escaped(suite), skipped, cases);
}

}  // namespace haloscope::grading
