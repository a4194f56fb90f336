#include "process/NamedFiles.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>

#include "process/Confinement.h"
#include "process/TrappedCall.h"

namespace haloscope::process {

namespace {

/// "./data//input.txt" as "data/input.txt"; what is longer is cut.
class PlainName {
 public:
  PlainName() = default;
  explicit PlainName(const char* path) {
    const bool absolute = *path == '/';
    if (absolute) { add('/'); }
    for (std::size_t read = 0; path[read] != 0 && read < kBytes;) {
      const std::string_view part(path + read, partLength(path + read, kBytes - read));
      read += part.size() + (path[read + part.size()] == '/' ? 1 : 0);
      if (part.empty() || part == ".") { continue; }
      if (size_ > (absolute ? 1 : 0)) { add('/'); }
      for (const char letter : part) { add(letter); }
    }
  }
  [[nodiscard]] std::string_view text() const { return {bytes_.data(), size_}; }

 private:
  static constexpr std::size_t kBytes = 255;

  static std::size_t partLength(const char* text, std::size_t most) {
    std::size_t length = 0;
    while (length < most && text[length] != 0 && text[length] != '/') { ++length; }
    return length;
  }
  void add(char letter) {
    if (size_ < bytes_.size()) { bytes_[size_++] = letter; }
  }

  std::array<char, kBytes> bytes_{};
  std::size_t size_ = 0;
};

struct Named {
  PlainName name;
  std::atomic<int> opened{0};
};

struct Asked {
  PlainName name;
  FileRefusal how = FileRefusal::Reading;
  TextPlace at;
  std::atomic<bool> ready{false};
};

/// One for the process, without a constructor that runs: a signal's handler is a plain function.
struct Files {
  std::array<Named, kMaxNamedFiles> named;
  std::size_t count = 0;
  std::array<Asked, 64> asked;
  std::atomic<std::size_t> begun{0};  ///< entries of `asked` that are being filled, or are
  std::size_t taken = 0;
};
constinit Files files;

/// What the C library opens by itself: for the number of processors, the time zone, a locale.
bool isOfTheSystem(std::string_view name) {
  static constexpr std::array<std::string_view, 5> kFolders{"/sys/", "/proc/", "/etc/", "/usr/", "/dev/"};
  return std::ranges::any_of(kFolders, [&](std::string_view one) { return name.starts_with(one); });
}

void note(const PlainName& name, FileRefusal how, TextPlace (*at)()) {
  if (name.text().empty() || isOfTheSystem(name.text())) { return; }
  const auto kindOf = [](FileRefusal one) { return one == FileRefusal::Looking ? FileRefusal::Reading : one; };
  const std::size_t known = std::min(files.begun.load(), files.asked.size());
  for (std::size_t i = 0; i < known; ++i) {
    const Asked& one = files.asked[i];
    if (one.ready && one.name.text() == name.text() && kindOf(one.how) == kindOf(how)) { return; }
  }
  const std::size_t mine = files.begun++;
  if (mine >= files.asked.size()) { return; }
  Asked& one = files.asked[mine];
  one.name = name;
  one.how = how;
  one.at = at();
  one.ready = true;
}

/// What a program makes it may have looked for: that it was not there is no want.
void noteMade(const PlainName& name, TextPlace (*at)()) {
  const std::size_t known = std::min(files.begun.load(), files.asked.size());
  for (std::size_t i = files.taken; i < known; ++i) {
    Asked& one = files.asked[i];
    if (one.ready && one.how == FileRefusal::Looking && one.name.text() == name.text()) {
      one.how = FileRefusal::Writing;
    }
  }
  note(name, FileRefusal::Writing, at);
}

/// What a program asks of a path.
struct Question {
  /// Remove: also of renaming. Make: a folder.
  enum class Kind : std::uint8_t { Open, Facts, Access, Remove, Make };
  Kind kind = Kind::Open;
  unsigned path = 0;      ///< which argument
  unsigned into = 0;      ///< of Facts: the argument that points to them
  bool writes = false;    ///< of Open and Access
  bool creates = false;   ///< of Open: what the file holds is not asked for
  bool extended = false;  ///< of Facts: statx, which has others
  bool itself = false;    ///< of Facts: the descriptor in argument 0, which has no path
};

std::optional<Question> questionOf(const TrappedCall& call) {
  using Kind = Question::Kind;
  const auto opens = [&](unsigned path, unsigned flags) {
    const auto bits = static_cast<int>(call.argument(flags));
    return Question{.kind = Kind::Open,
                    .path = path,
                    .writes = (bits & O_ACCMODE) != O_RDONLY || (bits & (O_CREAT | O_TRUNC)) != 0,
                    .creates = (bits & O_ACCMODE) == O_WRONLY || (bits & (O_CREAT | O_TRUNC)) != 0};
  };
  const auto accesses = [&](unsigned path, unsigned mode) {
    return Question{.kind = Kind::Access, .path = path, .writes = (call.argument(mode) & W_OK) != 0};
  };
  switch (call.number()) {
    case SYS_openat:
      return opens(1, 2);
    case SYS_newfstatat:
      return Question{.kind = Kind::Facts, .path = 1, .into = 2, .itself = (call.argument(3) & AT_EMPTY_PATH) != 0};
    case SYS_statx:
      return Question{.kind = Kind::Facts, .path = 1, .extended = true};
    case SYS_faccessat:
#ifdef SYS_faccessat2
    case SYS_faccessat2:
#endif
      return accesses(1, 2);
    case SYS_unlinkat:
    case SYS_renameat:
    case SYS_renameat2:
      return Question{.kind = Kind::Remove, .path = 1};
    case SYS_mkdirat:
      return Question{.kind = Kind::Make, .path = 1};
#ifdef SYS_open
    case SYS_open:
      return opens(0, 1);
    case SYS_unlink:
    case SYS_rmdir:
    case SYS_rename:
      return Question{.kind = Kind::Remove, .path = 0};
    case SYS_mkdir:
      return Question{.kind = Kind::Make, .path = 0};
    case SYS_stat:
    case SYS_lstat:
      return Question{.kind = Kind::Facts, .path = 0, .into = 1};
    case SYS_access:
      return accesses(0, 1);
#endif
    default:
      return std::nullopt;
  }
}

/// The result of a system call that the filter permits.
long resultOf(long result) { return result < 0 ? -errno : result; }

long answerTo(const Question& question, const TrappedCall& call, TextPlace (*at)()) {
  const auto into = [&] { return reinterpret_cast<void*>(call.argument(question.into)); };
  const auto* const path = reinterpret_cast<const char*>(call.argument(question.path));
  if (path == nullptr) { return -EFAULT; }
  if (question.itself && *path == 0) { return resultOf(syscall(SYS_fstat, call.argument(0), into())); }
  const PlainName name(path);
  if (question.kind == Question::Kind::Remove) { return -ENOENT; }
  // A file in a folder that is not made can be written, into nothing.
  if (question.kind == Question::Kind::Make) {
    noteMade(name, at);
    return syscall(SYS_fcntl, kNothing, F_GETFL) < 0 ? -EACCES : 0;
  }
  const bool opens = question.kind == Question::Kind::Open;
  const auto known = std::span(files.named).first(files.count);
  const auto file = std::ranges::find(known, name.text(), [](const Named& one) { return one.name.text(); });
  if (opens && question.creates) {
    noteMade(name, at);
    const long opened = resultOf(syscall(SYS_fcntl, kNothing, F_DUPFD, kNothing));
    return opened == -EBADF ? -EACCES : opened;
  }
  if (file == known.end() || question.writes) {
    const bool isThere = file != known.end();
    note(name, !opens ? FileRefusal::Looking : isThere ? FileRefusal::Writing : FileRefusal::Reading, at);
    return isThere ? -EACCES : -ENOENT;
  }
  const int first = kFirstNamedFile + static_cast<int>(file - known.begin()) * kDescriptorsOfAFile;
  switch (question.kind) {
    case Question::Kind::Open: {
      const int opened = file->opened++;
      if (opened < kOpeningsOfAFile) { return first + opened; }
      note(name, FileRefusal::TooOften, at);
      return -EMFILE;
    }
    case Question::Kind::Facts:
      return question.extended ? -ENOSYS : resultOf(syscall(SYS_fstat, first + kDescriptorsOfAFile - 1, into()));
    case Question::Kind::Access:
      return 0;
    case Question::Kind::Remove:
    case Question::Kind::Make:
      break;
  }
  return -EPERM;
}

}  // namespace

void nameFiles(const std::vector<std::string>& names) {
  files.count = std::min(names.size(), files.named.size());
  for (std::size_t i = 0; i < files.count; ++i) { files.named[i].name = PlainName(names[i].c_str()); }
}

void answerFileCall(TrappedCall& call, TextPlace (*at)()) {
  const int before = errno;
  const std::optional<Question> question = questionOf(call);
  call.answer(question ? answerTo(*question, call, at) : -EPERM);
  errno = before;
}

bool isNamedFile(const char* name) {
  const PlainName plain(name);
  const auto known = std::span(files.named).first(files.count);
  return std::ranges::any_of(known, [&](const Named& one) { return one.name.text() == plain.text(); });
}

void noteRefusal(const char* name, FileRefusal how, TextPlace (*at)()) { note(PlainName(name), how, at); }

std::vector<AskedFile> takeAskedFiles() {
  std::vector<AskedFile> asked;
  for (; files.taken < files.asked.size() && files.asked[files.taken].ready; ++files.taken) {
    const Asked& one = files.asked[files.taken];
    asked.push_back({.name = std::string(one.name.text()), .how = one.how, .at = one.at});
  }
  return asked;
}

}  // namespace haloscope::process
