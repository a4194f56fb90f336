#include "documents/Recovery.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <ranges>
#include <system_error>
#include <utility>

#include "files/FileText.h"
#include "language/Text.h"
#include "text/JsonText.h"

namespace haloscope {

namespace fs = std::filesystem;

namespace {

constexpr const char* kLockName = "lock";

// The lock on a folder, or -1 if a running program holds it.
int lockFolder(const fs::path& folder) {
  const int file = ::open((folder / kLockName).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file >= 0 && ::flock(file, LOCK_EX | LOCK_NB) != 0) {
    ::close(file);
    return -1;
  }
  return file;
}

std::optional<WorkingCopy> readCopy(const fs::path& file) {
  const std::optional<std::string> text = readWhole(file);
  if (!text) { return std::nullopt; }
  const nlohmann::json kept = nlohmann::json::parse(*text, nullptr, false);
  if (!kept.is_object()) { return std::nullopt; }
  try {
    return WorkingCopy{.id = kept.at("id").get<std::string>(),
                       .path = kept.at("path").get<std::string>(),
                       .text = kept.at("text").get<std::string>(),
                       .fileText = kept.at("file text").get<std::string>(),
                       .opened = kept.at("opened").get<bool>()};
  } catch (const nlohmann::json::exception&) { return std::nullopt; }
}

}  // namespace

Recovery::Recovery(const fs::path& folder) {
  if (folder.empty()) { return; }
  std::error_code error;
  fs::create_directories(folder, error);
  std::vector<std::pair<fs::file_time_type, fs::path>> others;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (entry.is_directory(error)) { others.emplace_back(entry.last_write_time(error), entry.path()); }
  }
  std::ranges::sort(others);
  const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
  own_ = folder / fmt::format("{}-{}", ::getpid(), now);
  fs::create_directories(own_, error);
  lock_ = error ? -1 : lockFolder(own_);
  if (lock_ < 0) {
    problem_ = trf("text that you type cannot be recovered after a crash: {} cannot be written", folder.string());
    own_.clear();
    return;
  }
  syncFolder(folder);
  for (const auto& [time, other] : std::views::reverse(others)) { takeOver(other); }
  std::ranges::reverse(found_);
}

Recovery::~Recovery() {
  if (own_.empty()) { return; }
  std::error_code error;
  const bool empty = std::none_of(fs::directory_iterator(own_, error), fs::directory_iterator(),
                                  [](const fs::directory_entry& e) { return e.path().extension() == ".json"; });
  if (empty) { fs::remove_all(own_, error); }
  ::close(lock_);
}

void Recovery::takeOver(const fs::path& left) {
  const int lock = lockFolder(left);
  if (lock < 0) { return; }
  std::error_code error;
  bool all = true;
  for (const fs::directory_entry& entry : fs::directory_iterator(left, error)) {
    if (entry.path().extension() != ".json") { continue; }
    const std::optional<WorkingCopy> copy = readCopy(entry.path());
    if (!copy) {
      all = false;  // left in place: the user may still be able to read it
      continue;
    }
    // Another program left a newer text of the same kernel: this one stays in place for the next start.
    const auto newer = std::ranges::find(found_, copy->id, &WorkingCopy::id);
    if (newer != found_.end() && newer->text != copy->text) {
      all = false;
      continue;
    }
    if (newer == found_.end()) {
      if (!keep(*copy).empty()) {
        all = false;
        continue;
      }
      found_.push_back(*copy);
    }
    fs::remove(entry.path(), error);
  }
  if (all) { fs::remove_all(left, error); }
  ::close(lock);
}

fs::path Recovery::fileOf(const std::string& id) const {
  std::string name;
  for (const char c : id) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    name += plain ? std::string(1, c) : fmt::format("-{:02x}", static_cast<unsigned char>(c));
  }
  return own_ / (name + ".json");
}

std::string Recovery::keep(const WorkingCopy& copy) {
  if (own_.empty()) { return std::exchange(problem_, {}); }  // reported once
  const nlohmann::json json = {{"id", copy.id},
                               {"path", copy.path.string()},
                               {"text", copy.text},
                               {"file text", copy.fileText},
                               {"opened", copy.opened}};
  // Invalid UTF-8 is replaced: a text with a wrong character is better than none.
  return replaceWhole(fileOf(copy.id), jsonText(json, 1));
}

void Recovery::forget(const std::string& id) {
  if (own_.empty()) { return; }
  std::error_code error;
  fs::remove(fileOf(id), error);
}

}  // namespace haloscope
