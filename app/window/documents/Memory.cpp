#include "documents/Memory.h"

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "files/FileText.h"
#include "language/Text.h"
#include "text/JsonText.h"

namespace haloscope {

namespace fs = std::filesystem;

namespace {

using nlohmann::json;

// A path or a lesson's name need not be UTF-8.
std::string textOf(const json& content) { return jsonText(content, 1); }

json nothing(bool list) { return list ? json::array() : json::object(); }

/// Renames a damaged file. Returns the sentence that says so; throws std::system_error if it cannot be renamed.
std::string setAside(const fs::path& file) {
  fs::path kept = file.string() + ".damaged";
  for (int i = 2; fs::exists(fs::symlink_status(kept)); ++i) { kept = file.string() + ".damaged" + std::to_string(i); }
  fs::rename(file, kept);
  return trf("{} is damaged. It was renamed {}, and a new file takes its place.", file.string(),
             kept.filename().string());
}

/// What a file holds.
struct Read {
  json content;
  std::string setAside;
  bool usable = true;  ///< not: it is damaged and could not be renamed
};

Read readContent(const fs::path& file, bool list) {
  Read read{nothing(list), {}};
  std::error_code error;
  const fs::file_status status = fs::symlink_status(file, error);
  if (!fs::exists(status)) { return read; }
  const std::optional<std::string> text = readWhole(file);
  if (text && text->find_first_not_of(" \t\r\n") == std::string::npos) { return read; }
  if (text) {
    json content = json::parse(*text, nullptr, false);
    if (content.type() == read.content.type()) {
      read.content = std::move(content);
      return read;
    }
  }
  try {
    read.setAside = setAside(file);
  } catch (const std::system_error& problem) {
    read.usable = false;
    read.setAside = trf("{} is damaged and cannot be renamed ({}). Nothing is written to it.", file.string(),
                        problem.code().message());
  }
  return read;
}

bool contains(const json& list, const json& one) { return std::ranges::find(list, one) != list.end(); }

/// `there` with what has changed from `before` to `after`. Of a list, what was added on either side is kept.
json merged(const json& before, const json& after, const json& there) {
  if (after == before) { return there; }
  if (after.is_object() && there.is_object()) {
    json result = there;
    for (const auto& [name, now] : after.items()) {
      const auto old = before.is_object() ? before.find(name) : before.end();
      const bool known = before.is_object() && old != before.end();
      result[name] = there.contains(name) ? merged(known ? *old : json(), now, there[name]) : now;
    }
    return result;
  }
  if (after.is_array() && there.is_array()) {
    json result = after;
    for (const json& one : there) {
      if (!contains(after, one) && !(before.is_array() && contains(before, one))) { result.push_back(one); }
    }
    return result;
  }
  return after;
}

}  // namespace

fs::path settingsFolder() {
  const char* xdg = std::getenv("XDG_CONFIG_HOME");
  const char* home = std::getenv("HOME");
  fs::path base;
  if (xdg != nullptr && *xdg != '\0') {
    base = xdg;
  } else if (home != nullptr && *home != '\0') {
    base = fs::path(home) / ".config";
  } else {
    return {};
  }
  std::error_code error;
  fs::create_directories(base / "haloscope", error);
  return error ? fs::path() : base / "haloscope";
}

MemoryWritten write(const MemoryChange& change) {
  const Read there = readContent(change.file, change.list);
  MemoryWritten written{there.setAside, {}};
  if (!there.usable) { return written; }
  const json content = merged(json::parse(change.before), json::parse(change.after), there.content);
  written.problem = replaceWhole(change.file, textOf(content));
  return written;
}

Memory::Memory(const MemoryKind& kind, const fs::path& folder, std::string& setAside)
    : kind_(&kind), content_(std::make_unique<json>(nothing(kind.list))) {
  setAside.clear();
  if (folder.empty()) { return; }
  Read read = readContent(folder / kind.file, kind.list);
  if (read.usable) { file_ = folder / kind.file; }
  *content_ = std::move(read.content);
  setAside = std::move(read.setAside);
}

Memory::~Memory() = default;
Memory::Memory(Memory&&) noexcept = default;

void Memory::restore(AppState& state) {
  kind_->restore(*content_, state);
  kind_->write(state, *content_);  // what is as it was at the beginning is no change
}

std::optional<MemoryChange> Memory::changed(const AppState& state) {
  if (file_.empty()) { return std::nullopt; }
  json now = *content_;
  kind_->write(state, now);
  if (now == *content_) { return std::nullopt; }
  const json before = std::exchange(*content_, std::move(now));
  return MemoryChange{file_, kind_->list, textOf(before), textOf(*content_)};
}

}  // namespace haloscope
