#include "grading/GoalTables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "language/Text.h"
#include "text/Html.h"

namespace haloscope::grading {

namespace {

std::string cellOf(const GoalRecord& goal) {
  return fmt::format("<td class=\"{}\">{}</td>", goal.reached ? "good" : "bad", escaped(goal.text));
}

}  // namespace

std::vector<GoalRecord> goalsOf(const Grading& grading) {
  const auto found =
      std::ranges::find_if(grading.rows, [](const GradedHandIn& row) { return !row.record.goals.empty(); });
  return found == grading.rows.end() ? std::vector<GoalRecord>() : found->record.goals;
}

std::string toGoalTable(const Grading& grading) {
  const std::vector<GoalRecord> goals = goalsOf(grading);
  if (goals.empty()) { return {}; }
  std::string text = fmt::format("{}\n", tr("goals"));
  for (std::size_t i = 0; i < goals.size(); ++i) {
    const auto reaches = [&](const GradedHandIn& row) {
      return i < row.record.goals.size() && row.record.goals[i].reached;
    };
    text += fmt::format("  {}  {}: {}\n", i + 1, goals[i].says,
                        trf("reached by {} of {}", std::ranges::count_if(grading.rows, reaches), grading.rows.size()));
  }
  for (const GradedHandIn& row : grading.rows) {
    if (row.record.goals.empty()) { continue; }
    std::string line = fmt::format("  {}:", row.handIn.name);
    for (std::size_t i = 0; i < row.record.goals.size(); ++i) {
      const GoalRecord& goal = row.record.goals[i];
      line += fmt::format("  {} {}", i + 1, goal.text);
    }
    text += line + "\n";
  }
  return text;
}

std::string goalsHtml(const Grading& grading) {
  const std::vector<GoalRecord> goals = goalsOf(grading);
  if (goals.empty()) { return {}; }
  std::string html = fmt::format("<h2>{}</h2>\n<div class=\"card scroll\"><table><thead><tr><th scope=\"col\">{}</th>",
                                 escaped(tr("Goals of the right solutions")), escaped(tr("hand-in")));
  for (const GoalRecord& goal : goals) {
    html += fmt::format("<th scope=\"col\" title=\"{}\">{}</th>", escaped(goal.goal), escaped(goal.says));
  }
  html += "</tr></thead><tbody>";
  for (const GradedHandIn& row : grading.rows) {
    if (row.record.goals.empty()) { continue; }
    html += fmt::format("<tr><td>{}</td>", escaped(row.handIn.name));
    for (const GoalRecord& goal : row.record.goals) { html += cellOf(goal); }
    html += "</tr>";
  }
  return html + "</tbody></table></div>\n";
}

std::string goalsHtml(const Record& record) {
  if (record.goals.empty()) { return {}; }
  std::string html =
      fmt::format("<h2>{}</h2>\n<div class=\"card scroll\"><table><tbody>", escaped(tr("Goals of the task")));
  for (const GoalRecord& goal : record.goals) {
    html += fmt::format("<tr><td>{}</td><td class=\"mono\">{}</td>{}</tr>", escaped(goal.says), escaped(goal.goal),
                        cellOf(goal));
  }
  return html + "</tbody></table></div>\n";
}

}  // namespace haloscope::grading
