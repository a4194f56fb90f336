#include "grading/Lists.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "grading/GoalTables.h"
#include "language/Text.h"
#include "text/Csv.h"
#include "text/Printable.h"

namespace haloscope::grading {

namespace {

using Json = nlohmann::ordered_json;

/// On one line.
std::string field(const std::string& text) { return csvField(printable(text)); }

Json listed(const Mark& mark) {
  return {{"kind", mark.kind},
          {"file", printable(mark.file)},
          {"line", mark.where.line},
          {"column", mark.where.column},
          {"message", printable(mark.message)},
          {"threads", mark.threads},
          {"occurrences", mark.occurrences},
          {"outputs", mark.outputs},
          {"output_count", mark.outputCount},
          {"also", mark.alsoAt}};
}

/// The number of characters, as far as a table's columns need it.
std::size_t widthOf(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80; }));
}

std::string padded(std::string text, std::size_t width) {
  const std::size_t has = widthOf(text);
  return text + std::string(width - std::min(width, has), ' ');
}

/// At most so many characters.
std::string cutTo(std::string text, std::size_t width) {
  if (widthOf(text) <= width) { return text; }
  std::size_t at = 0;
  for (std::size_t seen = 0; at < text.size() && seen < width; ++seen) {
    ++at;
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0U) == 0x80) { ++at; }
  }
  return text.substr(0, at) + "…";
}

/// " (with tile.h)": what is common to all hand-ins, and this one includes.
std::string withHeaders(const Record& record) {
  constexpr std::size_t kLongest = 60;
  return record.commonHeaders.empty()
             ? std::string()
             : trf(" (with {})", cutTo(printable(fmt::format("{}", fmt::join(record.commonHeaders, ", "))), kLongest));
}

Json finite(double value) { return std::isfinite(value) ? Json(value) : Json(); }

}  // namespace

std::string toCsv(const Grading& grading) {
  std::string csv = "hand-in,verdict,findings,kind,file,line,sentence,cell,expected,computed,page,common headers";
  const std::vector<GoalRecord> goals = goalsOf(grading);
  for (const GoalRecord& goal : goals) { csv += "," + field(goal.goal); }
  csv += "\r\n";
  for (const GradedHandIn& row : grading.rows) {
    const std::vector<const Mark*> marks = row.record.marks();
    const Mark* const first = marks.empty() ? nullptr : marks.front();
    const WrongCell* const cell = row.record.wrongCells.empty() ? nullptr : &row.record.wrongCells.front();
    const std::string line = first != nullptr && first->where.valid() ? std::to_string(first->where.line) : "";
    csv += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}", field(row.handIn.name), rowOf(row.record.verdict).word,
                       marks.size(), first == nullptr ? "" : first->kind, first == nullptr ? "" : field(first->file),
                       line, field(row.record.sentence), cell == nullptr ? "" : field(cell->name),
                       cell == nullptr ? "" : fmt::format("{:.9g}", cell->expected),
                       cell == nullptr ? "" : fmt::format("{:.9g}", cell->computed), field(row.page),
                       field(fmt::format("{}", fmt::join(row.record.commonHeaders, " "))));
    for (std::size_t i = 0; i < goals.size(); ++i) {
      csv += "," + (i < row.record.goals.size() ? field(row.record.goals[i].text) : std::string());
    }
    csv += "\r\n";
  }
  return csv;
}

Json toJson(const Grading& grading) {
  Json rows = Json::array();
  for (const GradedHandIn& row : grading.rows) {
    const Record& record = row.record;
    Json kernels = Json::array();
    for (const KernelRecord& kernel : record.kernels) {
      Json findings = Json::array();
      for (const Mark& mark : kernel.marks) { findings.push_back(listed(mark)); }
      kernels.push_back({{"file", printable(kernel.file)},
                         {"kernel", kernel.kernel},
                         {"result", kernel.result},
                         {"findings", std::move(findings)},
                         {"assumptions", kernel.assumptions}});
    }
    Json program = Json::array();
    for (const Mark& mark : record.program) { program.push_back(listed(mark)); }
    Json cells = Json::array();
    for (const WrongCell& one : record.wrongCells) {
      cells.push_back({{"cell", one.name}, {"expected", finite(one.expected)}, {"computed", finite(one.computed)}});
    }
    Json goals = Json::array();
    for (const GoalRecord& one : record.goals) {
      goals.push_back({{"goal", one.goal}, {"says", one.says}, {"value", one.text}, {"reached", one.reached}});
    }
    rows.push_back({{"hand_in", row.handIn.name},
                    {"verdict", rowOf(record.verdict).word},
                    {"sentence", record.sentence},
                    {"kernels", std::move(kernels)},
                    {"program", std::move(program)},
                    {"notes", record.notes},
                    {"common_headers", record.commonHeaders},
                    {"expected_by", record.expectedBy},
                    {"wrong_cells", std::move(cells)},
                    {"goals", std::move(goals)},
                    {"page", row.page}});
  }
  Json json;
  json["task"] = grading.task.empty() ? Json() : Json(grading.task);
  json["reference"] = grading.reference.empty() ? Json() : Json(grading.reference);
  json["remarks"] = grading.remarks;
  json["hand_ins"] = std::move(rows);
  return json;
}

std::string toTable(const Grading& grading) {
  constexpr std::size_t kLongestName = 40, kLongestSentence = 110;
  std::size_t nameWidth = widthOf(tr("hand-in"));
  std::size_t verdictWidth = widthOf(tr("verdict"));
  std::vector<std::size_t> counts(kVerdictRows.size());
  for (const GradedHandIn& row : grading.rows) {
    nameWidth = std::max(nameWidth, widthOf(cutTo(row.handIn.name, kLongestName)));
    verdictWidth = std::max(verdictWidth, widthOf(tr(rowOf(row.record.verdict).title)));
    ++counts[static_cast<std::size_t>(row.record.verdict)];
  }
  std::string text = fmt::format("{}  {}  {}\n", padded(tr("hand-in"), nameWidth), padded(tr("verdict"), verdictWidth),
                                 tr("in short"));
  for (const GradedHandIn& row : grading.rows) {
    text += fmt::format("{}  {}  {}\n", padded(cutTo(row.handIn.name, kLongestName), nameWidth),
                        padded(tr(rowOf(row.record.verdict).title), verdictWidth),
                        cutTo(printable(row.record.sentence), kLongestSentence) + withHeaders(row.record));
  }
  std::string totals = trn("{} hand-in", "{} hand-ins", grading.rows.size(), grading.rows.size());
  for (const VerdictRow& row : kVerdictRows) {
    const std::size_t count = counts[static_cast<std::size_t>(row.verdict)];
    if (count > 0) {
      totals +=
          fmt::format("{} {} {}", row.verdict == Verdict::Passed || totals.find(": ") == std::string::npos ? ":" : ",",
                      count, tr(row.title));
    }
  }
  return text + totals + "\n";
}

}  // namespace haloscope::grading
