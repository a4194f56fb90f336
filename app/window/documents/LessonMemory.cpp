#include "documents/Memory.h"

namespace haloscope {

namespace {

void restoreCourse(const nlohmann::json& content, AppState& state) {
  LessonView& view = state.lesson;
  if (view.last.empty()) { view.last = wordIn(content, "last"); }
  const auto lessons = content.find("lessons");
  if (lessons == content.end() || !lessons->is_object()) { return; }
  for (const auto& [id, entry] : lessons->items()) {
    const std::vector<std::string> answered = wordsIn(entry, "answered");
    view.progress[id] = {flagIn(entry, "read"), {answered.begin(), answered.end()}};
  }
}

void writeCourse(const AppState& state, nlohmann::json& content) {
  if (!state.lesson.last.empty()) { content["last"] = state.lesson.last; }
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
