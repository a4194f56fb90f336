#include <sstream>

#include "documents/Memory.h"

namespace haloscope {

namespace {

constexpr const char* kTestTimes[] = {"before", "after"};  // by TestTime

void restoreTest(const nlohmann::json& content, lessons::TestResults& results) {
  const auto test = content.find("test");
  if (test == content.end() || !test->is_object()) { return; }
  for (std::size_t i = 0; i < results.size(); ++i) {
    const auto kept = test->find(kTestTimes[i]);
    if (kept == test->end() || !kept->is_object()) { continue; }
    const auto seed = kept->find("seed");
    if (seed == kept->end() || !seed->is_number_unsigned()) { continue; }
    lessons::TestResult& result = results[i];
    result = {.seed = seed->get<std::uint64_t>(), .day = wordIn(*kept, "day"), .right = {}};
    for (const bool right : {true, false}) {
      std::istringstream ids(wordIn(*kept, right ? "right" : "wrong"));
      for (std::string id; ids >> id;) { result.right[id] = right; }
    }
  }
}

// Answers are one text, not a list: what is taken again replaces what was there.
void writeTest(const lessons::TestResults& results, nlohmann::json& content) {
  for (std::size_t i = 0; i < results.size(); ++i) {
    const lessons::TestResult& result = results[i];
    if (!result.taken()) { continue; }
    std::string answers[2];
    for (const auto& [id, right] : result.right) {
      answers[right ? 1 : 0] += (answers[right ? 1 : 0].empty() ? "" : " ") + id;
    }
    nlohmann::json& test = content["test"];
    if (!test.is_object()) { test = nlohmann::json::object(); }
    test[kTestTimes[i]] = {{"seed", result.seed}, {"day", result.day}, {"right", answers[1]}, {"wrong", answers[0]}};
  }
}

void restoreCourse(const nlohmann::json& content, AppState& state) {
  LessonView& view = state.lesson;
  if (view.last.empty()) { view.last = wordIn(content, "last"); }
  restoreTest(content, view.results);
  const auto lessons = content.find("lessons");
  if (lessons == content.end() || !lessons->is_object()) { return; }
  for (const auto& [id, entry] : lessons->items()) {
    const std::vector<std::string> answered = wordsIn(entry, "answered");
    view.progress[id] = {flagIn(entry, "read"), {answered.begin(), answered.end()}};
  }
}

void writeCourse(const AppState& state, nlohmann::json& content) {
  if (!state.lesson.last.empty()) { content["last"] = state.lesson.last; }
  writeTest(state.lesson.results, content);
  nlohmann::json& lessons = content["lessons"];
  if (!lessons.is_object()) { lessons = nlohmann::json::object(); }
  for (const auto& [id, progress] : state.lesson.progress) {
    nlohmann::json& entry = lessons[id];
    if (!entry.is_object()) { entry = nlohmann::json::object(); }
    setFlag(entry, "read", progress.read);
    entry["answered"] = progress.answered;
  }
}

}  // namespace

const MemoryKind kLessonMemory = {"course.json", false, restoreCourse, writeCourse};

}  // namespace haloscope
