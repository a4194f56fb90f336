#include "handout/LiveLesson.h"

#include <map>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "handout/Columns.h"
#include "handout/LiveKernel.h"
#include "lessons/LessonExecution.h"
#include "lessons/StoredLesson.h"
#include "questions/Questions.h"
#include "text/JsonText.h"

namespace haloscope::handout {

namespace {

using lessons::Lesson;
using lessons::Question;
using lessons::Setting;

std::map<std::string, double> recordsOf(const Lesson& lesson, const std::set<std::size_t>& questions) {
  std::map<std::string, double> records;
  const auto add = [&](const std::string& query) { records.merge(questions::recordsIn(query)); };
  for (const std::size_t question : questions) {
    add(lesson.questions[question].answer);
    for (const lessons::Option& option : lesson.questions[question].options) { add(option.when); }
  }
  for (const lessons::Value& value : lesson.values) {
    if (value.question && questions.contains(*value.question)) { add(value.expression); }
  }
  return records;
}

}  // namespace

std::vector<Setting> settingsOfQuestions(const Lesson& lesson, const std::set<std::size_t>& questions,
                                         const Catalogue& catalogue) {
  const lessons::LessonExecution execution(catalogue);
  std::vector<Setting> settings;
  for (const std::size_t question : questions) {
    const std::uint64_t last = lesson.questions[question].again.empty() ? 0 : kSeedsOfPage;
    for (std::uint64_t seed = 0; seed <= last; ++seed) {
      const Setting setting = execution.settingOf(lesson, question, seed);
      settings.push_back(setting);
      for (const lessons::Value& value : lesson.values) {
        if (value.question == question) { settings.push_back(lessons::within(setting, value.setting)); }
      }
    }
  }
  return settings;
}

std::string liveLesson(const Lesson& lesson, const std::set<std::size_t>& questions, const Catalogue& catalogue,
                       const std::function<std::string(const lessons::Link&)>& address) {
  std::map<std::string, std::vector<Bindings>> executed;  // by kernel
  for (const Setting& setting : settingsOfQuestions(lesson, questions, catalogue)) {
    executed[setting.kernel].push_back(catalogue.at(setting.kernel).bind(setting.with));
  }
  nlohmann::json sizes = nlohmann::json::array();
  std::string kernels;
  for (const auto& [id, bindings] : executed) {
    const LiveKernel kernel = storedKernel(catalogue.at(id), bindings);
    sizes.push_back(kernel.bytes.size());
    kernels += kernel.bytes;
  }
  return container(jsonText(nlohmann::json{{"lesson", lessons::storedLesson(lesson, address)},
                                           {"records", recordsOf(lesson, questions)},
                                           {"kernels", std::move(sizes)}}),
                   kernels);
}

}  // namespace haloscope::handout
