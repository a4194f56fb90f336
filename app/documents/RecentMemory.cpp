#include "documents/RecentMemory.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "documents/FileText.h"

namespace haloscope {

namespace {

std::string word(const nlohmann::json& entry, const char* name) {
  const auto value = entry.find(name);
  return value != entry.end() && value->is_string() ? value->get<std::string>() : std::string();
}

// Nothing for an entry that says neither a variant nor a file.
std::optional<RecentItem> itemOf(const nlohmann::json& entry) {
  if (!entry.is_object()) { return std::nullopt; }
  RecentItem item;
  item.kernel = word(entry, "kernel");
  item.file = word(entry, "file");
  if (item.kernel.empty() == item.file.empty() || (item.kernel.empty() && !item.file.is_absolute())) {
    return std::nullopt;
  }
  const std::vector<std::string> names = workspaceNames();
  if (std::ranges::find(names, word(entry, "workspace")) != names.end()) {
    item.workspace = workspaceNamed(word(entry, "workspace"));
  }
  const auto sizes = entry.find("sizes");
  if (sizes == entry.end() || !sizes->is_object()) { return item; }
  for (const auto& [name, value] : sizes->items()) {
    if (value.is_number_integer()) { item.bindings[name] = value.get<std::int64_t>(); }
  }
  return item;
}

}  // namespace

RecentMemory::RecentMemory(std::filesystem::path file) : file_(std::move(file)) {
  const std::optional<std::string> text = file_.empty() ? std::nullopt : readWhole(file_);
  const nlohmann::json json = text ? nlohmann::json::parse(*text, nullptr, false) : nlohmann::json();
  if (!json.is_array()) { return; }
  for (const nlohmann::json& entry : json) {
    std::optional<RecentItem> item = itemOf(entry);
    if (item && items_.size() < kMostRecent) { items_.push_back(*std::move(item)); }
  }
}

bool RecentMemory::remember(const RecentItem& item) {
  if ((item.kernel.empty() && item.file.empty()) || (!items_.empty() && items_.front() == item)) { return false; }
  std::erase_if(items_,
                [&](const RecentItem& other) { return other.kernel == item.kernel && other.file == item.file; });
  items_.insert(items_.begin(), item);
  if (items_.size() > kMostRecent) { items_.pop_back(); }
  return true;
}

std::string RecentMemory::text() const {
  nlohmann::json json = nlohmann::json::array();
  const std::vector<std::string> names = workspaceNames();
  for (const RecentItem& item : items_) {
    nlohmann::json entry{{"workspace", names.at(static_cast<std::size_t>(item.workspace))}};
    if (item.kernel.empty()) {
      entry["file"] = item.file.string();
    } else {
      entry["kernel"] = item.kernel;
      entry["sizes"] = item.bindings;
    }
    json.push_back(std::move(entry));
  }
  return json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace haloscope
