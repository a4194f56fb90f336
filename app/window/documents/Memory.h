#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "state/AppState.h"

/// What is kept between runs of the program, of which several may run at once.
namespace haloscope {

// Parts of JSON from a file that may hold anything: what is absent or of another type is `otherwise`, or empty.

inline bool flagIn(const nlohmann::json& object, const char* name, bool otherwise = false) {
  const auto found = object.is_object() ? object.find(name) : object.end();
  return found != object.end() && found->is_boolean() ? found->get<bool>() : otherwise;
}

/// A flag that was never set is left out, so that another program's stays.
inline void setFlag(nlohmann::json& object, const char* name, bool value) {
  if (value || object.contains(name)) { object[name] = value; }
}

inline std::string wordIn(const nlohmann::json& object, const char* name) {
  const auto found = object.is_object() ? object.find(name) : object.end();
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// Those entries of a list that are texts.
inline std::vector<std::string> wordsIn(const nlohmann::json& object, const char* name) {
  std::vector<std::string> words;
  const auto found = object.is_object() ? object.find(name) : object.end();
  if (found == object.end() || !found->is_array()) { return words; }
  for (const nlohmann::json& one : *found) {
    if (one.is_string()) { words.push_back(one.get<std::string>()); }
  }
  return words;
}

/// $XDG_CONFIG_HOME/haloscope, or below ~/.config, where all of it is; makes the folder. Empty when it cannot be made.
[[nodiscard]] std::filesystem::path settingsFolder();

/// One kind of what is kept, in a JSON file of its own.
struct MemoryKind {
  const char* file;
  bool list;  ///< the file holds a list rather than an object
  /// Neither throws. What `write` does not know stays in the content as it is.
  void (*restore)(const nlohmann::json& content, AppState& state);
  void (*write)(const AppState& state, nlohmann::json& content);
};

extern const MemoryKind kLabMemory;     ///< the progress in the bug lab
extern const MemoryKind kLaunchMemory;  ///< launches of opened files, by absolute path; see rememberedLaunch()
extern const MemoryKind kLessonMemory;  ///< the progress in the course
extern const MemoryKind kMakeMemory;    ///< the progress with tasks in which a kernel is written
extern const MemoryKind kRecentMemory;  ///< what was looked at lately
extern const MemoryKind kViewMemory;    ///< theme, text size, language, keys used

/// A change of what a file keeps, from one JSON text to another.
struct MemoryChange {
  std::filesystem::path file;
  bool list = false;
  std::string before, after;
};

/// What came of writing a change. Each is one sentence, or empty.
struct MemoryWritten {
  std::string setAside;  ///< the file was damaged
  std::string problem;   ///< why it was not written
};

/// Makes the change in what the file holds by now: another program's changes stay. A damaged file is never overwritten:
/// it is renamed.
[[nodiscard]] MemoryWritten write(const MemoryChange& change);

/// What one file keeps, as this program knows it.
class Memory {
 public:
  /// Reads the kind's file, if there is one, in `folder`; without a folder nothing is kept. `setAside`: one sentence if
  /// the file was damaged.
  Memory(const MemoryKind& kind, const std::filesystem::path& folder, std::string& setAside);
  ~Memory();
  Memory(Memory&&) noexcept;

  [[nodiscard]] const nlohmann::json& content() const { return *content_; }
  void restore(AppState& state);
  /// The change since the last call; nothing if there is none.
  [[nodiscard]] std::optional<MemoryChange> changed(const AppState& state);

 private:
  const MemoryKind* kind_;
  std::filesystem::path file_;  ///< empty: nothing is kept
  std::unique_ptr<nlohmann::json> content_;
};

/// The settings that were kept for the launch of a kernel file.
[[nodiscard]] OpenedLaunch rememberedLaunch(const Memory& launches, const std::filesystem::path& path);

}  // namespace haloscope
