#pragma once

#include <string>
#include <vector>

#include "grading/Grader.h"

/// What right solutions of a task come to, goal by goal. All of it is empty where no hand-in has goals.
namespace haloscope::grading {

/// The goals of the task that the hand-ins were written for.
[[nodiscard]] std::vector<GoalRecord> goalsOf(const Grading& grading);

/// For a terminal: the goals with their numbers, then a line for each hand-in that has the right result.
[[nodiscard]] std::string toGoalTable(const Grading& grading);

/// For the report: a row a hand-in, a column a goal. HTML.
[[nodiscard]] std::string goalsHtml(const Grading& grading);

/// For a student's page: a row a goal. HTML.
[[nodiscard]] std::string goalsHtml(const Record& record);

}  // namespace haloscope::grading
