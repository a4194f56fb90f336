#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "documents/Memory.h"

namespace haloscope {

namespace {

std::optional<Dim3> blockIn(const nlohmann::json& entry) {
  constexpr std::uint64_t kMost = 0x7fffffff;
  const auto block = entry.find("block");
  if (block == entry.end() || !block->is_array() || block->size() != 3) { return std::nullopt; }
  std::array<std::uint32_t, 3> at{};
  for (std::size_t axis = 0; axis < at.size(); ++axis) {
    const nlohmann::json& index = (*block)[axis];
    if (!index.is_number_unsigned() || index.get<std::uint64_t>() > kMost) { return std::nullopt; }
    at[axis] = index.get<std::uint32_t>();
  }
  return Dim3{at[0], at[1], at[2]};
}

// Nothing for an entry that says neither a variant nor a file.
std::optional<RecentItem> itemOf(const nlohmann::json& entry) {
  RecentItem item{.kernel = wordIn(entry, "kernel"), .file = wordIn(entry, "file")};
  if (item.kernel.empty() == item.file.empty() || (item.kernel.empty() && !item.file.is_absolute())) {
    return std::nullopt;
  }
  item.workspace = workspaceNamed(wordIn(entry, "workspace")).value_or(item.workspace);
  item.lesson = wordIn(entry, "lesson");
  if (const auto step = entry.find("step"); step != entry.end() && step->is_number_unsigned()) {
    item.step = step->get<std::size_t>();
  }
  item.block = blockIn(entry);
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
    if (item.block) { entry["block"] = {item.block->x, item.block->y, item.block->z}; }
    if (item.step > 0) { entry["step"] = item.step; }
    if (!item.lesson.empty()) { entry["lesson"] = item.lesson; }
    content.push_back(std::move(entry));
  }
}

}  // namespace

const MemoryKind kRecentMemory = {"recent.json", true, restoreRecent, writeRecent};

}  // namespace haloscope
