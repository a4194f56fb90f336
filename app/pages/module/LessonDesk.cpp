#include "module/LessonDesk.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "catalogue/Catalogue.h"
#include "catalogue/StoredKernelFile.h"
#include "handout/Columns.h"
#include "language/Text.h"
#include "lessons/LessonExecution.h"
#include "lessons/LessonFacts.h"
#include "lessons/Look.h"
#include "lessons/PageAddress.h"
#include "lessons/StoredLesson.h"
#include "module/StoredRecords.h"
#include "program/SourceLocation.h"
#include "questions/NamedPlaces.h"
#include "site/QuestionHtml.h"
#include "text/JsonText.h"

namespace haloscope::handout {

namespace {

using Json = nlohmann::json;
using lessons::AskedQuestion;
using lessons::Attempt;
using lessons::Question;

struct Desk {
  Catalogue catalogue;
  lessons::Lesson lesson;
  std::unique_ptr<lessons::LessonExecution> execution;
  std::map<std::pair<std::size_t, std::uint64_t>, AskedQuestion> asked;
};
std::unique_ptr<Desk> desk;

struct Asking {
  std::size_t index;
  const Question& question;
  const AskedQuestion& asked;
};

Asking askingOf(const Json& request) {
  if (desk == nullptr) { throw InputError(tr("nothing was executed yet")); }
  const auto index = request.at("question").get<std::size_t>();
  const auto seed = request.at("seed").get<std::uint64_t>();
  if (index >= desk->lesson.questions.size()) { throw InputError(tr("the data of this page are damaged")); }
  const std::pair key(index, seed);
  auto known = desk->asked.find(key);
  if (known == desk->asked.end()) {
    known = desk->asked.emplace(key, desk->execution->ask(desk->lesson, index, seed)).first;
  }
  return {index, desk->lesson.questions[index], known->second};
}

site::Surroundings surroundingsOf(const AskedQuestion& asked) {
  return {.values =
              [&asked](std::size_t value) {
                const auto found = asked.values.find(value);
                return found == asked.values.end() ? nullptr : &found->second;
              },
          .address = [](const lessons::Link& link) { return link.target; },
          .picture = {}};
}

/// The page of the step that shows why an answer is wrong; empty if there is none.
std::string lookAt(const Asking& asking) {
  if (asking.question.look.empty()) { return {}; }
  try {
    const lessons::WindowLink look = lessons::lookOf(asking.question, asking.asked.setting, desk->catalogue);
    const experiment::Experiment& recorded = desk->execution->recorded(look.setting);
    const std::size_t step = positionOf(look.moment, threadAt(look.thread, recorded), recorded);
    return "../" + lessons::pageAddress(desk->catalogue.at(look.setting.kernel), lessons::choiceOf(look.setting), step);
  } catch (const UserError&) { return {}; }  // what it names is not in this page
}

Attempt attemptOf(const Json& request) {
  Attempt attempt;
  attempt.typed = request.value("typed", "");
  if (request.contains("option")) { attempt.option = request.at("option").get<std::size_t>(); }
  if (request.contains("line")) { attempt.line = request.at("line").get<int>(); }
  if (request.contains("cells")) { attempt.cells = request.at("cells").get<std::set<std::int64_t>>(); }
  return attempt;
}

/// The right answer, for words and for marks in what the reader chose from.
Json told(const Asking& asking) {
  const site::Surroundings around = surroundingsOf(asking.asked);
  Json facts = {{"because", site::spansHtml(asking.question.because, desk->lesson, around)}};
  if (asking.question.kind == Question::Kind::Choice) { facts["option"] = asking.asked.option.value_or(0); }
  if (asking.question.kind == Question::Kind::Line) { facts["lines"] = asking.asked.answer.lines; }
  if (asking.question.kind == Question::Kind::Cells) {
    std::vector<std::int64_t> cells;
    for (const recording::GridPoint& cell : asking.asked.answer.cells.cells) {
      cells.push_back(asking.asked.board.number(cell));
    }
    facts["cells"] = std::move(cells);
  }
  return facts;
}

}  // namespace

std::string openLesson(Message message) {
  auto opened = std::make_unique<Desk>();
  std::vector<frontend::StoredVariant> variants;
  for (const Json& size : message.facts.at("kernels")) {
    Message kernel = handout::opened(message.take(size.get<std::size_t>()));
    opened->catalogue.put(readStoredFile(kernel.facts.at("file")));
    for (frontend::StoredVariant& variant : programsOf(kernel)) { variants.push_back(std::move(variant)); }
  }
  frontend::offer(std::move(variants));
  questions::offerRecords(message.facts.at("records").get<std::map<std::string, double>>());
  opened->lesson = lessons::readStoredLesson(message.facts.at("lesson"));
  opened->execution = std::make_unique<lessons::LessonExecution>(opened->catalogue);
  desk = std::move(opened);
  return container("{}", {});
}

std::string askQuestion(const Json& request) {
  const Asking asking = askingOf(request);
  const site::QuestionParts parts =
      site::questionParts(desk->lesson, asking.index, asking.asked, surroundingsOf(asking.asked));
  return container(jsonText(Json{{"ask", parts.ask}, {"options", parts.options}, {"board", parts.board}}), {});
}

std::string judgeAnswer(const Json& request) {
  const Asking asking = askingOf(request);
  Json facts = Json::object();
  if (request.value("tell", false)) {
    facts = told(asking);
    facts["says"] = trf("The answer: {}", lessons::answerText(asking.question, asking.asked));
    return container(jsonText(facts), {});
  }
  Attempt attempt = attemptOf(request);
  lessons::judge(asking.question, asking.asked, attempt);
  if (!attempt.complaint.empty()) {
    facts["complaint"] = attempt.complaint;
    return container(jsonText(facts), {});
  }
  const bool right = attempt.verdict == Attempt::Verdict::Right;
  if (right) { facts = told(asking); }
  facts["right"] = right;
  facts["says"] = lessons::verdictText(asking.question, asking.asked, attempt);
  if (!right) { facts["look"] = lookAt(asking); }
  return container(jsonText(facts), {});
}

}  // namespace haloscope::handout
