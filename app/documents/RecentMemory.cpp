#include <optional>
#include <utility>

#include "documents/JsonParts.h"
#include "documents/Memory.h"

namespace haloscope {

namespace {

// Nothing for an entry that says neither a variant nor a file.
std::optional<RecentItem> itemOf(const nlohmann::json& entry) {
  RecentItem item;
  item.kernel = wordIn(entry, "kernel");
  item.file = wordIn(entry, "file");
  if (item.kernel.empty() == item.file.empty() || (item.kernel.empty() && !item.file.is_absolute())) {
    return std::nullopt;
  }
  item.workspace = workspaceNamed(wordIn(entry, "workspace")).value_or(item.workspace);
  const auto sizes = entry.find("sizes");
  if (sizes == entry.end() || !sizes->is_object()) { return item; }
  for (const auto& [name, value] : sizes->items()) {
    if (value.is_number_integer()) { item.bindings[name] = value.get<std::int64_t>(); }
  }
  return item;
}

void restoreRecent(const nlohmann::json& content, AppState& state) {
  for (const nlohmann::json& entry : content) {
    std::optional<RecentItem> item = itemOf(entry);
    if (item && state.start.recent.size() < kMostRecent) { state.start.recent.push_back(*std::move(item)); }
  }
}

void writeRecent(const AppState& state, nlohmann::json& content) {
  content = nlohmann::json::array();
  const std::vector<std::string> names = workspaceNames();
  for (const RecentItem& item : state.start.recent) {
    nlohmann::json entry{{"workspace", names.at(static_cast<std::size_t>(item.workspace))}};
    if (item.kernel.empty()) {
      entry["file"] = item.file.string();
    } else {
      entry["kernel"] = item.kernel;
      entry["sizes"] = item.bindings;
    }
    content.push_back(std::move(entry));
  }
}

}  // namespace

const MemoryKind kRecentMemory = {"recent.json", true, restoreRecent, writeRecent};

}  // namespace haloscope
