#include "documents/TextKeeper.h"

#include <chrono>
#include <stop_token>
#include <system_error>
#include <utility>

#include "documents/SessionFile.h"
#include "documents/SessionWriter.h"
#include "files/FileText.h"
#include "language/Text.h"
#include "opening/OpenedFile.h"
#include "program/SourceLocation.h"

namespace haloscope {

namespace fs = std::filesystem;

namespace {

// A file saved by another program is on screen within 200 ms: the change is noticed within one interval, and taken over
// when the file is unchanged an interval later, since an editor may still be writing it.
constexpr auto kLook = std::chrono::milliseconds(25);

}  // namespace

TextKeeper::TextKeeper(fs::path recovery, std::function<void()> wake)
    : recovery_(std::move(recovery)),
      wake_(std::move(wake)),
      thread_([this](const std::stop_token& stop) { work(stop); }) {}

TextKeeper::~TextKeeper() {
  finish();
  thread_.request_stop();
}

void TextKeeper::watch(fs::path path, std::string known) {
  const std::scoped_lock lock(mutex_);
  if (path.empty()) {
    watch_.reset();
    return;
  }
  // The first look compares the text whatever the time stamp.
  watch_ = Watch{std::move(path), std::move(known), fs::file_time_type::min(), 0, false};
  changed_.notify_all();
}

void TextKeeper::save(fs::path path, std::string text, std::optional<std::string> expected) {
  const std::scoped_lock lock(mutex_);
  saves_.push_back({std::move(path), std::move(text), std::move(expected)});
  changed_.notify_all();
}

void TextKeeper::save(fs::path path, Session session, std::optional<std::string> expected) {
  const std::scoped_lock lock(mutex_);
  saves_.push_back({std::move(path), {}, std::move(expected), std::move(session)});
  changed_.notify_all();
}

void TextKeeper::open(fs::path path) {
  const std::scoped_lock lock(mutex_);
  opens_.push_back(std::move(path));
  changed_.notify_all();
}

void TextKeeper::keep(const WorkingCopy& copy) {
  const std::scoped_lock lock(mutex_);
  toKeep_.insert_or_assign(copy.id, Keep{copy});
  changed_.notify_all();
}

void TextKeeper::keep(const WorkingCopy& copy, Session session) {
  const std::scoped_lock lock(mutex_);
  toKeep_.insert_or_assign(copy.id, Keep{copy, std::move(session)});
  changed_.notify_all();
}

void TextKeeper::remember(MemoryChange change) {
  const std::scoped_lock lock(mutex_);
  changes_.push_back(std::move(change));
  changed_.notify_all();
}

std::vector<TextKeeper::Event> TextKeeper::poll() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(events_, {});
}

void TextKeeper::finish() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock,
                [this] { return opens_.empty() && saves_.empty() && changes_.empty() && toKeep_.empty() && !busy_; });
}

void TextKeeper::report(Event event) {
  {
    const std::scoped_lock lock(mutex_);
    events_.push_back(std::move(event));
  }
  if (wake_) { wake_(); }
}

void TextKeeper::carryOut(Save save) {
  try {
    if (save.session) { save.text = sessionText(*save.session); }
  } catch (const UserError& problem) {
    report({.kind = Event::Kind::NotSaved, .path = save.path, .problem = problem.message()});
    return;
  }
  const std::optional<std::string> now = readWhole(save.path);
  if (save.expected && now && *now != *save.expected && *now != save.text) {
    report({Event::Kind::ChangedOutside, save.path, *now, {}});
    return;
  }
  const std::string problem = replaceWhole(save.path, save.text);
  {
    const std::scoped_lock lock(mutex_);
    if (problem.empty() && watch_ && watch_->path == save.path) { watch_->known = save.text; }
  }
  report({problem.empty() ? Event::Kind::Saved : Event::Kind::NotSaved, save.path, save.text, problem});
}

void TextKeeper::carryOut(Keep keep) {
  WorkingCopy& copy = keep.copy;
  std::string problem;
  try {
    if (keep.session) { copy.text = sessionText(*keep.session); }
    if (copy.unsaved()) {
      problem = recovery_.keep(copy);
    } else {
      recovery_.forget(copy.id);
    }
  } catch (const UserError& refused) { problem = refused.message(); }
  if (keep.session) {
    const Event::Kind kind = problem.empty() ? Event::Kind::Kept : Event::Kind::NotKept;
    report({.kind = kind, .path = copy.path, .problem = problem, .revision = copy.revision});
  } else if (!problem.empty()) {
    report({Event::Kind::NotSaved, copy.path, copy.text, problem});
  }
}

void TextKeeper::carryOut(const MemoryChange& change) {
  const MemoryWritten written = write(change);
  if (!written.setAside.empty()) { report({Event::Kind::SetAside, change.file, {}, written.setAside}); }
  if (!written.problem.empty()) { report({Event::Kind::NotSaved, change.file, {}, written.problem}); }
}

void TextKeeper::read(const fs::path& path) {
  std::error_code error;
  const fs::path absolute = fs::absolute(path, error).lexically_normal();
  if (fs::is_directory(absolute, error)) {
    report({Event::Kind::IsFolder, absolute, {}, {}});
    return;
  }
  const std::uintmax_t size = fs::is_regular_file(absolute, error) ? fs::file_size(absolute, error) : 0;
  std::string problem = isSession(absolute) ? tooLargeSession(absolute, size) : opening::tooLargeText(absolute, size);
  std::optional<std::string> text;
  if (problem.empty() && !(text = readWhole(absolute))) {
    problem = trf("{} cannot be read as a file", absolute.string());
  }
  std::shared_ptr<ReadSession> session;
  if (problem.empty() && isSession(absolute)) {
    try {
      session = std::make_shared<ReadSession>();
      session->session = readSession(absolute, *text);
      session->files = writeFiles(session->session);
    } catch (const UserError& refused) { problem = refused.what(); }
  }
  if (problem.empty()) {
    report({.kind = Event::Kind::Opened, .path = absolute, .text = std::move(*text), .session = std::move(session)});
  } else {
    report({.kind = Event::Kind::NotOpened, .path = absolute, .problem = std::move(problem)});
  }
}

void TextKeeper::look() {
  Watch watch;
  {
    const std::scoped_lock lock(mutex_);
    if (!watch_) { return; }
    watch = *watch_;
  }
  std::error_code error;
  const fs::file_time_type time = fs::last_write_time(watch.path, error);
  const std::uintmax_t size = error ? 0 : fs::file_size(watch.path, error);
  if (error) { return; }  // being replaced, or deleted: the text on screen stays
  const bool moved = time != watch.time || size != watch.size;
  std::optional<std::string> text;
  if (!moved && watch.settling) { text = readWhole(watch.path); }
  {
    const std::scoped_lock lock(mutex_);
    if (!watch_ || watch_->path != watch.path) { return; }
    watch_->time = time;
    watch_->size = size;
    watch_->settling = moved;
    if (!text || *text == watch_->known) { return; }
    watch_->known = *text;
  }
  report({Event::Kind::ChangedOutside, watch.path, std::move(*text), {}});
}

void TextKeeper::work(const std::stop_token& stop) {
  for (;;) {
    std::deque<fs::path> opens;
    std::deque<Save> saves;
    std::deque<MemoryChange> changes;
    std::map<std::string, Keep> copies;
    {
      std::unique_lock lock(mutex_);
      const auto wanted = [this] {
        return !opens_.empty() || !saves_.empty() || !changes_.empty() || !toKeep_.empty();
      };
      if (watch_) {
        changed_.wait_for(lock, stop, kLook, wanted);
      } else {
        changed_.wait(lock, stop, [&] { return wanted() || watch_; });
      }
      if (stop.stop_requested()) { return; }
      opens = std::exchange(opens_, {});
      saves = std::exchange(saves_, {});
      changes = std::exchange(changes_, {});
      copies = std::exchange(toKeep_, {});
      busy_ = !opens.empty() || !saves.empty() || !changes.empty() || !copies.empty();
    }
    // Typed text first, so that it is safe even if a save hangs on a slow disk.
    for (auto& [id, copy] : copies) { carryOut(std::move(copy)); }
    for (Save& save : saves) { carryOut(std::move(save)); }
    for (const MemoryChange& change : changes) { carryOut(change); }
    for (const fs::path& path : opens) { read(path); }
    {
      const std::scoped_lock lock(mutex_);
      busy_ = false;
      changed_.notify_all();
    }
    look();
  }
}

}  // namespace haloscope
