#include "documents/LabMemory.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "documents/FileText.h"

namespace haloscope {

LabMemory::LabMemory(std::filesystem::path file) : file_(std::move(file)) {
  const std::optional<std::string> text = file_.empty() ? std::nullopt : readWhole(file_);
  const nlohmann::json json = text ? nlohmann::json::parse(*text, nullptr, false) : nlohmann::json();
  if (!json.is_object()) { return; }
  const auto flag = [](const nlohmann::json& entry, const char* name) {
    const auto value = entry.find(name);
    return value != entry.end() && value->is_boolean() && value->get<bool>();
  };
  for (const auto& [id, entry] : json.items()) {
    if (!entry.is_object()) { continue; }
    progress_[id] = {flag(entry, "hint"), flag(entry, "revealed"), flag(entry, "solved")};
  }
}

bool LabMemory::remember(const std::map<std::string, LabProgress>& progress) {
  if (progress == progress_) { return false; }
  progress_ = progress;
  return true;
}

std::string LabMemory::text() const {
  nlohmann::json json = nlohmann::json::object();
  for (const auto& [id, task] : progress_) {
    json[id] = {{"hint", task.hint}, {"revealed", task.revealed}, {"solved", task.solved}};
  }
  return json.dump(1);
}

}  // namespace haloscope
