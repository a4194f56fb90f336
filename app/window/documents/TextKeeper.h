#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "documents/Memory.h"
#include "documents/Recovery.h"
#include "documents/SessionFiles.h"
#include "state/Session.h"
#include "state/WorkingCopy.h"

namespace haloscope {

/// Does all file access that could delay a frame, on its own thread: watches the file on screen, saves, and writes
/// typed text to the recovery folder.
class TextKeeper {
 public:
  /// Another program has written the watched file, or a request has been carried out.
  struct Event {
    enum class Kind : unsigned char {
      ChangedOutside,
      Saved,
      NotSaved,
      Opened,
      NotOpened,
      IsFolder,
      SetAside,
      Kept,
      NotKept
    };
    Kind kind = Kind::ChangedOutside;
    std::filesystem::path path;
    std::string text{};                      ///< the current one of the file
    std::string problem{};                   ///< why it was not saved, opened or kept; of SetAside, the whole sentence
    std::shared_ptr<ReadSession> session{};  ///< of a session that was opened, its scenes
    std::uint64_t revision = 0;              ///< of a session that was kept or not
  };

  /// `recovery`: folder, empty for none. `wake` is called, on that thread, whenever there is an event to poll.
  TextKeeper(std::filesystem::path recovery, std::function<void()> wake);
  ~TextKeeper();
  TextKeeper(const TextKeeper&) = delete;
  TextKeeper& operator=(const TextKeeper&) = delete;

  /// The texts that earlier programs left.
  [[nodiscard]] const std::vector<WorkingCopy>& found() const { return recovery_.found(); }

  /// Watches one file from now on, whose text is `known`; an empty path: none.
  void watch(std::filesystem::path path, std::string known);
  /// Writes `text` to the file, unless the file no longer contains `expected` (nullopt: it may contain
  /// anything).
  void save(std::filesystem::path path, std::string text, std::optional<std::string> expected);
  /// The same of a session, whose text is made on that thread.
  void save(std::filesystem::path path, Session session, std::optional<std::string> expected);
  /// Reads the file, or reports that it is a folder.
  void open(std::filesystem::path path);
  /// Writes the copy to the recovery folder, or removes it from there if it equals its file.
  void keep(const WorkingCopy& copy);
  /// The same of a session's scenes, whose text is made on that thread: Kept or NotKept follows.
  void keep(const WorkingCopy& copy, Session session);
  /// Adds a change to what is kept between runs.
  void remember(MemoryChange change);

  [[nodiscard]] std::vector<Event> poll();
  /// Blocks until all requests are on the disk.
  void finish();

 private:
  struct Watch {
    std::filesystem::path path;
    std::string known;
    std::filesystem::file_time_type time;
    std::uintmax_t size = 0;
    bool settling = false;  ///< the file has changed and may not be complete yet
  };
  struct Save {
    std::filesystem::path path;
    std::string text;
    std::optional<std::string> expected;
    std::optional<Session> session{};  ///< in place of the text
  };
  struct Keep {
    WorkingCopy copy;
    std::optional<Session> session{};
  };

  void work(const std::stop_token& stop);
  void carryOut(Save save);
  void carryOut(Keep keep);
  void carryOut(const MemoryChange& change);
  void read(const std::filesystem::path& path);
  void look();
  void report(Event event);

  Recovery recovery_;
  std::function<void()> wake_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<std::filesystem::path> opens_;
  std::deque<Save> saves_;
  std::deque<MemoryChange> changes_;
  std::map<std::string, Keep> toKeep_;  ///< by id, the newest of each
  std::optional<Watch> watch_;
  std::vector<Event> events_;
  bool busy_ = false;
  std::jthread thread_;  ///< last: it uses everything above
};

}  // namespace haloscope
