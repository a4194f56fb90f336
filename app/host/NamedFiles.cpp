#include "host/NamedFiles.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "process/Confinement.h"
#include "process/TrappedCall.h"

namespace haloscope::host {

namespace {

struct Named {
  std::string name;
  int first = 0;   ///< of its descriptors
  int opened = 0;  ///< how many of them
};

struct Files {
  std::vector<Named> named;
  std::vector<AskedFile> asked;
  std::set<std::string> known;  ///< asked for, ever
  std::mutex mutex;
};

/// One for the process: a signal's handler is a plain function.
Files& files() {
  static Files one;
  return one;
}

constexpr std::size_t kMaxNameBytes = 255;
constexpr std::size_t kMaxAsked = 64;

/// "./data//input.txt" is "data/input.txt".
std::string plain(std::string_view path) {
  std::string name;
  for (std::size_t at = 0; at < path.size();) {
    std::size_t end = std::min(path.find('/', at), path.size());
    const std::string_view part = path.substr(at, end - at);
    if (at == 0 && part.empty()) { name = "/"; }
    if (!part.empty() && part != ".") {
      if (!name.empty() && name != "/") { name += '/'; }
      name += part;
    }
    at = end + 1;
  }
  return name;
}

/// What the C library opens by itself: for the number of processors, the time zone, a locale.
bool isOfTheSystem(const std::string& name) {
  static constexpr std::array<std::string_view, 5> kFolders{"/sys/", "/proc/", "/etc/", "/usr/", "/dev/"};
  return std::ranges::any_of(kFolders, [&](std::string_view one) { return name.starts_with(one); });
}

/// What a program asks of a path.
struct Question {
  enum class Kind : std::uint8_t { Open, Facts, Access };
  Kind kind = Kind::Open;
  unsigned path = 0;      ///< which argument
  unsigned into = 0;      ///< of Facts: the argument that points to them
  bool writes = false;    ///< of Open and Access
  bool extended = false;  ///< of Facts: statx, which has others
  bool itself = false;    ///< of Facts: the descriptor in argument 0, which has no path
};

std::optional<Question> questionOf(const process::TrappedCall& call) {
  using Kind = Question::Kind;
  const auto opens = [&](unsigned path, unsigned flags) {
    const auto bits = static_cast<int>(call.argument(flags));
    return Question{.kind = Kind::Open,
                    .path = path,
                    .writes = (bits & O_ACCMODE) != O_RDONLY || (bits & (O_CREAT | O_TRUNC)) != 0};
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
      return accesses(1, 2);
#ifdef SYS_faccessat2
    case SYS_faccessat2:
      return accesses(1, 2);
#endif
#ifdef SYS_open
    case SYS_open:
      return opens(0, 1);
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

long answerTo(const Question& question, const process::TrappedCall& call, HostPlace (*at)()) {
  const auto into = [&] { return reinterpret_cast<void*>(call.argument(question.into)); };
  const auto* const path = reinterpret_cast<const char*>(call.argument(question.path));
  if (path == nullptr) { return -EFAULT; }
  if (question.itself && *path == 0) { return resultOf(syscall(SYS_fstat, call.argument(0), into())); }
  const std::string name = plain({path, strnlen(path, kMaxNameBytes)});
  Files& all = files();
  const std::lock_guard lock(all.mutex);
  const auto file = std::ranges::find(all.named, name, &Named::name);
  if (file == all.named.end() || question.writes) {
    if (question.kind == Question::Kind::Open && !isOfTheSystem(name) && all.known.size() < kMaxAsked &&
        all.known.insert(name).second) {
      all.asked.push_back({.name = name, .writes = question.writes, .at = at()});
    }
    return question.writes ? -EACCES : -ENOENT;
  }
  switch (question.kind) {
    case Question::Kind::Open:
      return file->opened < kOpeningsOfAFile ? file->first + file->opened++ : -EMFILE;
    case Question::Kind::Facts:
      return question.extended ? -ENOSYS : resultOf(syscall(SYS_fstat, file->first + kOpeningsOfAFile - 1, into()));
    case Question::Kind::Access:
      return 0;
  }
  return -EPERM;
}

}  // namespace

void nameFiles(const std::vector<std::string>& names) {
  int next = process::kFirstNamedFile;
  for (const std::string& name : names) {
    files().named.push_back({.name = plain(name), .first = next, .opened = 0});
    next += kOpeningsOfAFile;
  }
}

void answerFileCall(process::TrappedCall& call, HostPlace (*at)()) {
  const int before = errno;
  const std::optional<Question> question = questionOf(call);
  call.answer(question ? answerTo(*question, call, at) : -EPERM);
  errno = before;
}

std::vector<AskedFile> takeAskedFiles() {
  const std::lock_guard lock(files().mutex);
  return std::exchange(files().asked, {});
}

}  // namespace haloscope::host
