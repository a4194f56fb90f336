#include "grading/Record.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "text/JsonText.h"

namespace haloscope::grading {

namespace {

using Json = nlohmann::ordered_json;

/// Of this format: a record of another one is not read.
constexpr int kFormat = 3;

Json jsonOf(const Mark& mark) {
  return {{"kind", mark.kind},
          {"title", mark.title},
          {"file", mark.file},
          {"where", {mark.where.line, mark.where.column, mark.where.endLine, mark.where.endColumn}},
          {"message", mark.message},
          {"threads", mark.threads},
          {"occurrences", mark.occurrences},
          {"outputs", mark.outputs},
          {"output_count", mark.outputCount},
          {"also", mark.alsoAt}};
}

Mark markOf(const Json& json) {
  Mark mark{.kind = json.at("kind"),
            .title = json.at("title"),
            .file = json.at("file"),
            .message = json.at("message"),
            .threads = json.at("threads"),
            .occurrences = json.at("occurrences"),
            .outputs = json.at("outputs"),
            .outputCount = json.at("output_count"),
            .alsoAt = json.at("also")};
  const Json& where = json.at("where");
  mark.where = {.line = where.at(0), .column = where.at(1), .endLine = where.at(2), .endColumn = where.at(3)};
  return mark;
}

Json jsonOf(const std::vector<Mark>& marks) {
  Json list = Json::array();
  for (const Mark& mark : marks) { list.push_back(jsonOf(mark)); }
  return list;
}

std::vector<Mark> marksOf(const Json& list) {
  std::vector<Mark> marks;
  for (const Json& one : list) { marks.push_back(markOf(one)); }
  return marks;
}

/// JSON has no infinities.
Json jsonOf(double value) {
  if (std::isfinite(value)) { return value; }
  return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

double numberOf(const Json& json) {
  if (json.is_number()) { return json.get<double>(); }
  const std::string text = json;
  const double infinity = std::numeric_limits<double>::infinity();
  return text == "inf" ? infinity : text == "-inf" ? -infinity : std::numeric_limits<double>::quiet_NaN();
}

Json jsonOf(const Picture& picture) {
  Json threads = Json::array();
  for (const Picture::Thread& one : picture.threads) {
    threads.push_back({{"block", one.block}, {"thread", one.thread}});
  }
  Json json = {{"grid", picture.grid}, {"block", picture.block}, {"threads", std::move(threads)}};
  if (picture.array) {
    json["array"] = {{"name", picture.array->name},
                     {"space", picture.array->space},
                     {"extents", picture.array->extents},
                     {"index", picture.array->index},
                     {"marked", picture.array->marked}};
  }
  json["caption"] = picture.caption;
  return json;
}

Picture pictureOf(const Json& json) {
  Picture picture{.grid = json.at("grid"), .block = json.at("block"), .caption = json.at("caption")};
  for (const Json& one : json.at("threads")) {
    picture.threads.push_back({.block = one.at("block"), .thread = one.at("thread")});
  }
  if (json.contains("array")) {
    const Json& array = json.at("array");
    picture.array = {.name = array.at("name"),
                     .space = array.at("space"),
                     .extents = array.at("extents"),
                     .index = array.at("index"),
                     .marked = array.at("marked")};
  }
  return picture;
}

}  // namespace

std::vector<const Mark*> Record::marks() const {
  std::vector<const Mark*> all;
  for (const KernelRecord& kernel : kernels) {
    for (const Mark& mark : kernel.marks) { all.push_back(&mark); }
  }
  for (const Mark& mark : program) { all.push_back(&mark); }
  return all;
}

std::string toJson(const Record& record) {
  Json kernels = Json::array();
  for (const KernelRecord& one : record.kernels) {
    kernels.push_back({{"file", one.file},
                       {"kernel", one.kernel},
                       {"result", one.result},
                       {"findings", jsonOf(one.marks)},
                       {"assumptions", one.assumptions}});
  }
  Json cells = Json::array();
  for (const WrongCell& one : record.wrongCells) {
    cells.push_back({{"cell", one.name}, {"expected", jsonOf(one.expected)}, {"computed", jsonOf(one.computed)}});
  }
  Json goals = Json::array();
  for (const GoalRecord& one : record.goals) {
    goals.push_back({{"goal", one.goal}, {"says", one.says}, {"text", one.text}, {"reached", one.reached}});
  }
  Json sources = Json::array();
  for (const SourceText& one : record.sources) { sources.push_back({{"name", one.name}, {"text", one.text}}); }
  Json json = {{"format", kFormat},
               {"verdict", rowOf(record.verdict).word},
               {"sentence", record.sentence},
               {"kernels", std::move(kernels)},
               {"program", jsonOf(record.program)},
               {"notes", record.notes},
               {"common_headers", record.commonHeaders},
               {"wrong_in", record.wrongIn},
               {"expected_by", record.expectedBy},
               {"wrong_cells", std::move(cells)},
               {"goals", std::move(goals)}};
  json["picture"] = record.picture ? jsonOf(*record.picture) : Json();
  json["sources"] = std::move(sources);
  return jsonText(json);
}

std::optional<Record> recordOf(const std::string& text) {
  try {
    const Json json = Json::parse(text);
    const std::optional<Verdict> verdict = verdictWithWord(json.at("verdict").get<std::string>());
    if (json.at("format") != kFormat || !verdict) { return std::nullopt; }
    Record record{.verdict = *verdict,
                  .sentence = json.at("sentence"),
                  .program = marksOf(json.at("program")),
                  .notes = json.at("notes"),
                  .commonHeaders = json.at("common_headers"),
                  .wrongIn = json.at("wrong_in"),
                  .expectedBy = json.at("expected_by")};
    for (const Json& one : json.at("kernels")) {
      record.kernels.push_back({.file = one.at("file"),
                                .kernel = one.at("kernel"),
                                .result = one.at("result"),
                                .marks = marksOf(one.at("findings")),
                                .assumptions = one.at("assumptions")});
    }
    for (const Json& one : json.at("wrong_cells")) {
      record.wrongCells.push_back({one.at("cell"), numberOf(one.at("expected")), numberOf(one.at("computed"))});
    }
    for (const Json& one : json.at("goals")) {
      record.goals.push_back({one.at("goal"), one.at("says"), one.at("text"), one.at("reached")});
    }
    if (!json.at("picture").is_null()) { record.picture = pictureOf(json.at("picture")); }
    for (const Json& one : json.at("sources")) { record.sources.push_back({one.at("name"), one.at("text")}); }
    return record;
  } catch (const Json::exception&) { return std::nullopt; }
}

Record refused(Verdict verdict, std::string sentence) { return {.verdict = verdict, .sentence = std::move(sentence)}; }

}  // namespace haloscope::grading
