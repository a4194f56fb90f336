#pragma once

#include <condition_variable>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "documents/Recovery.h"
#include "state/WorkingCopy.h"

namespace haloscope {

/// Does everything with files that could keep a frame waiting, on a thread of its own: watches the file on screen,
/// saves, and keeps what has been typed recoverable.
class TextKeeper {
 public:
  /// Another program has written the watched file, or what was asked for has been done.
  struct Event {
    enum class Kind : unsigned char { ChangedOutside, Saved, NotSaved, Opened, NotOpened, IsFolder };
    Kind kind = Kind::ChangedOutside;
    std::filesystem::path path;
    std::string text;     ///< of the file now
    std::string problem;  ///< why it was not saved or opened
  };

  /// `recovery`: folder, empty for none. `wake` is called, on that thread, whenever there is an event to poll.
  TextKeeper(std::filesystem::path recovery, std::function<void()> wake);
  ~TextKeeper();
  TextKeeper(const TextKeeper&) = delete;
  TextKeeper& operator=(const TextKeeper&) = delete;

  /// What earlier programs left.
  [[nodiscard]] const std::vector<WorkingCopy>& found() const { return recovery_.found(); }

  /// Watches one file, from now on; its text is `known`. An empty path: none.
  void watch(std::filesystem::path path, std::string known);
  /// Writes `text` to the file, unless that holds something else than `expected` by now (nothing: it may hold
  /// anything).
  void save(std::filesystem::path path, std::string text, std::optional<std::string> expected);
  /// Reads the file, or says that it is a folder.
  void open(std::filesystem::path path);
  /// The copy outlives the program; forgotten when it does not differ from its file.
  void keep(const WorkingCopy& copy);

  [[nodiscard]] std::vector<Event> poll();
  /// Blocks until all that was asked for is on the disk.
  void finish();

 private:
  struct Watch {
    std::filesystem::path path;
    std::string known;
    std::filesystem::file_time_type time;
    std::uintmax_t size = 0;
    bool settling = false;  ///< the file has changed and may still be being written
  };
  struct Save {
    std::filesystem::path path;
    std::string text;
    std::optional<std::string> expected;
  };

  void work(const std::stop_token& stop);
  void carryOut(const Save& save);
  void read(const std::filesystem::path& path);
  void look();
  void tell(Event event);

  Recovery recovery_;
  std::function<void()> wake_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<std::filesystem::path> opens_;
  std::deque<Save> saves_;
  std::map<std::string, WorkingCopy> toKeep_;  ///< by id, the newest of each
  std::optional<Watch> watch_;
  std::vector<Event> events_;
  bool busy_ = false;
  std::jthread thread_;  ///< last: it uses everything above
};

}  // namespace haloscope
