#include <algorithm>

#include "documents/Memory.h"

namespace haloscope {

namespace {

void restoreMaking(const nlohmann::json& content, AppState& state) {
  for (const auto& [id, entry] : content.items()) {
    const auto help = entry.is_object() ? entry.find("help") : entry.end();
    const bool known = entry.is_object() && help != entry.end() && help->is_number_integer();
    const int level = known ? std::clamp(help->get<int>(), 0, static_cast<int>(MakeHelp::Hints)) : 0;
    state.make.progress[id] = {static_cast<MakeHelp>(level), flagIn(entry, "right"), flagIn(entry, "solved")};
  }
}

void writeMaking(const AppState& state, nlohmann::json& content) {
  for (const auto& [id, task] : state.make.progress) {
    nlohmann::json& entry = content[id];
    if (!entry.is_object()) { entry = nlohmann::json::object(); }
    if (task.help != MakeHelp::None) { entry["help"] = static_cast<int>(task.help); }
    setFlag(entry, "right", task.right);
    setFlag(entry, "solved", task.solved);
  }
}

}  // namespace

const MemoryKind kMakeMemory = {"making.json", false, restoreMaking, writeMaking};

}  // namespace haloscope
