#include "documents/LessonMemory.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "documents/FileText.h"

namespace haloscope {

LessonMemory::LessonMemory(std::filesystem::path file) : file_(std::move(file)) {
  const std::optional<std::string> text = file_.empty() ? std::nullopt : readWhole(file_);
  const nlohmann::json json = text ? nlohmann::json::parse(*text, nullptr, false) : nlohmann::json();
  if (!json.is_object()) { return; }
  if (const auto last = json.find("last"); last != json.end() && last->is_string()) { last_ = *last; }
  const auto lessons = json.find("lessons");
  if (lessons == json.end() || !lessons->is_object()) { return; }
  for (const auto& [id, entry] : lessons->items()) {
    if (!entry.is_object()) { continue; }
    LessonProgress& progress = progress_[id];
    if (const auto read = entry.find("read"); read != entry.end() && read->is_boolean()) { progress.read = *read; }
    const auto answered = entry.find("answered");
    if (answered == entry.end() || !answered->is_array()) { continue; }
    for (const auto& question : *answered) {
      if (question.is_string()) { progress.answered.insert(question.get<std::string>()); }
    }
  }
}

void LessonMemory::restore(LessonView& view) const {
  view.progress = progress_;
  if (view.last.empty()) { view.last = last_; }
}

bool LessonMemory::remember(const LessonView& view) {
  if (view.last == last_ && view.progress == progress_) { return false; }
  last_ = view.last;
  progress_ = view.progress;
  return true;
}

std::string LessonMemory::text() const {
  nlohmann::json lessons = nlohmann::json::object();
  for (const auto& [id, progress] : progress_) {
    lessons[id] = {{"read", progress.read}, {"answered", progress.answered}};
  }
  return nlohmann::json{{"last", last_}, {"lessons", lessons}}.dump(1);
}

}  // namespace haloscope
