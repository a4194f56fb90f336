#include "documents/Memory.h"

namespace haloscope {

namespace {

void restoreLab(const nlohmann::json& content, AppState& state) {
  for (const auto& [id, entry] : content.items()) {
    state.labProgress[id] = {flagIn(entry, "hint"), flagIn(entry, "revealed"), flagIn(entry, "solved")};
  }
}

void writeLab(const AppState& state, nlohmann::json& content) {
  for (const auto& [id, task] : state.labProgress) {
    nlohmann::json& entry = content[id];
    if (!entry.is_object()) { entry = nlohmann::json::object(); }
    setFlag(entry, "hint", task.hint);
    setFlag(entry, "revealed", task.revealed);
    setFlag(entry, "solved", task.solved);
  }
}

}  // namespace

const MemoryKind kLabMemory = {"buglab.json", false, restoreLab, writeLab};

}  // namespace haloscope
