#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "AnsweredCalls.h"
#include "ConfinementSupport.h"
#include "EscapeAttempts.h"

/// Which system calls the filter permits.
namespace haloscope::process {
namespace {

using ConfinementFilterTest = ConfinedTest;

/// The system calls that the last stage permits, at least with some arguments.
const std::vector<long>& permittedCalls() {
  static const std::vector<long> calls = {
#ifdef SYS_poll
      SYS_poll,
      SYS_time,
      335,
      336,  // uretprobe and uprobe, which Linux lets past all filters: they end any process but a probed one
#endif
      SYS_mmap,
      SYS_mprotect,
      SYS_munmap,
      SYS_mremap,
      SYS_brk,
      SYS_madvise,
      SYS_read,
      SYS_readv,
      SYS_write,
      SYS_writev,
      SYS_fstat,
      SYS_lseek,
      SYS_recvfrom,
      SYS_sendto,
      SYS_fcntl,
      SYS_ppoll,
      SYS_close,
      SYS_futex,
      SYS_nanosleep,
      SYS_sched_yield,
      SYS_restart_syscall,
      SYS_gettimeofday,
      SYS_getcpu,
      SYS_clock_gettime,
      SYS_clock_getres,
      SYS_clock_nanosleep,
      SYS_rt_sigaction,
      SYS_rt_sigprocmask,
      SYS_rt_sigreturn,
      SYS_sigaltstack,
      SYS_exit,
      SYS_exit_group,
      SYS_getpid,
      SYS_gettid,
      SYS_getrandom,
      SYS_tgkill,
      SYS_prlimit64,
      SYS_getrusage,
      SYS_sched_getaffinity};
  return calls;
}

/// In a process that has been given this file under a name.
ChildEnd withNamedFile(const Surroundings& around, const std::function<int(int file)>& body) {
  return inChild([&] {
    const int file = open(around.path("file").c_str(), O_RDONLY);
    const int last = kFirstNamedFile + kDescriptorsOfAFile - 1;
    if (file < 0 || dup2(file, kFirstNamedFile) < 0 || dup2(file, last) < 0) { return kThrew; }
    ConfinementLimits limits = testLimits();
    limits.namedFiles = true;
    Confinement confinement(limits, keptFiles(around));
    confinement.forbidNewCode();
    return body(kFirstNamedFile);
  });
}

TEST_F(ConfinementFilterTest, ANamedFileCanBeReadAndNothingElse) {
  const ChildEnd end = withNamedFile(around_, [](int file) {
    std::array<char, 8> text{};
    if (call(SYS_read, file, text.data(), text.size()) != 0 || std::strncmp(text.data(), "content", 7) != 0) {
      return 1;
    }
    if (call(SYS_lseek, file, 0, SEEK_SET) != 0) { return 2; }
    if (call(SYS_write, file, text.data(), 1) != EPERM) { return 3; }
    if (call(SYS_ftruncate, file, 0) != EPERM) { return 4; }
    if (resultOfMap(mmap(nullptr, 1, PROT_READ, MAP_PRIVATE, file, 0)) != EPERM) { return 5; }
    if (call(SYS_fcntl, file, F_SETFL, O_ASYNC) != EPERM || call(SYS_dup, file) != EPERM) { return 6; }
    // Numbers around those of named files.
    if (call(SYS_read, kFirstNamedFile - 1, text.data(), 1) != EPERM) { return 7; }
    static_assert(kFirstNamedFile + kNamedFiles == kNothing);
    if (call(SYS_read, kNothing + kNothings, text.data(), 1) != EPERM) { return 8; }
    if (call(SYS_fcntl, file, F_DUPFD, kNothing) != EPERM || call(SYS_fcntl, kNothing, F_DUPFD, 0) != EPERM) {
      return 10;
    }
    return call(SYS_read, kFirstNamedFile + 1, text.data(), 1) == EBADF ? 0 : 9;
  });
  EXPECT_EQ(end.status, 0) << describe(end);
}

TEST_F(ConfinementFilterTest, AFileThatIsNotGivenIsNotedOnceAndWhere) {
  const ChildEnd end = withNamedFile(around_, [](int) {
    answerTrappedCalls();
    nameFiles({"./data//input.txt"});
    const auto opens = [](const char* path, int flags) { return call(SYS_openat, AT_FDCWD, path, flags, 0); };
    for (int i = 0; i < kOpeningsOfAFile; ++i) {
      if (opens("data/input.txt", O_RDONLY) != 0) { return 1; }
    }
    struct stat facts{};
    for (int i = 0; i < kOpeningsOfAFile; ++i) { close(kFirstNamedFile + i); }
    if (call(SYS_newfstatat, AT_FDCWD, "data/input.txt", &facts, 0) != 0 || facts.st_size != 7) { return 7; }
    if (opens("data/input.txt", O_RDONLY) != EMFILE || opens("data/input.txt", O_WRONLY) != EACCES) { return 2; }
    if (call(SYS_newfstatat, AT_FDCWD, "other.txt", &facts, 0) != ENOENT || opens("other.txt", O_RDONLY) != ENOENT ||
        opens("/etc/localtime", O_RDONLY) != ENOENT || opens("", O_RDONLY) != ENOENT) {
      return 3;
    }
    // Longer than there is room for.
    if (opens(std::string(4000, 'a').c_str(), O_RDONLY) != ENOENT) { return 4; }
    const std::vector<AskedFile> asked = takeAskedFiles();
    const auto is = [&](std::size_t i, const char* name, FileRefusal how) {
      return asked[i].name == name && asked[i].how == how && asked[i].at.line == 7;
    };
    if (asked.size() != 4 || !takeAskedFiles().empty()) { return 5; }
    return is(0, "data/input.txt", FileRefusal::TooOften) && is(1, "data/input.txt", FileRefusal::Writing) &&
                   is(2, "other.txt", FileRefusal::Looking) && asked[3].name.size() == 255
               ? 0
               : 6;
  });
  EXPECT_EQ(end.status, 0) << describe(end);
}

TEST_F(ConfinementFilterTest, WhatIsWrittenGoesNowhere) {
  const ChildEnd end = inChild([&] {
    const int nothing = open("/dev/null", O_RDWR);
    if (nothing < 0 || dup2(nothing, kNothing) < 0) { return kThrew; }
    ConfinementLimits limits = testLimits();
    limits.namedFiles = true;
    Confinement confinement(limits, keptFiles(around_));
    answerTrappedCalls();
    confinement.forbidNewCode();
    for (int i = 0; i < 2; ++i) {
      const long file = syscall(SYS_openat, AT_FDCWD, around_.path("file").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
      if (file <= kNothing || file >= kNothing + kNothings) { return 1; }
      if (syscall(SYS_write, file, "new", 3L) != 3 || close(static_cast<int>(file)) != 0) { return 2; }
    }
    if (call(SYS_mkdirat, AT_FDCWD, around_.path("new").c_str(), 0700) != 0) { return 3; }
    const std::vector<AskedFile> asked = takeAskedFiles();
    return asked.size() == 2 && asked[0].how == FileRefusal::Writing ? 0 : 4;
  });
  EXPECT_EQ(end.status, 0) << describe(end);
  EXPECT_EQ(std::filesystem::file_size(around_.path("file")), 7U) << "it is as it was";
  EXPECT_FALSE(std::filesystem::exists(around_.path("new")));
}

TEST_F(ConfinementFilterTest, WithoutAnAnswerOpeningAFileEndsTheProcess) {
  const ChildEnd end =
      withNamedFile(around_, [&](int) { return call(SYS_openat, AT_FDCWD, "/etc/passwd", O_RDONLY, 0); });
  EXPECT_EQ(end.signal, SIGSYS) << describe(end);
}

TEST_F(ConfinementFilterTest, NoOtherSystemCallIsPermitted) {
  for (const long argument : {0, -1}) {
    long permitted = -1;
    const ChildEnd end = confined(around_, [&] {
      for (long number = 0; number < 1024; ++number) {
        if (std::ranges::find(permittedCalls(), number) != permittedCalls().end()) { continue; }
        const int result = call(number, argument, argument, argument, argument, argument, argument);
        if (result != (number == SYS_clone3 ? ENOSYS : EPERM)) {
          (void)!write(around_.theirs(), &number, sizeof number);
          return 1;
        }
      }
      return 0;
    });
    (void)!recv(around_.mine(), &permitted, sizeof permitted, MSG_DONTWAIT);
    EXPECT_EQ(end.status, 0) << describe(end) << ": system call " << permitted;
  }
}

#ifdef __x86_64__
TEST_F(ConfinementFilterTest, ACallOf32BitsEndsTheProcess) {
  const ChildEnd end = confined(around_, [] {
    long result = 20;  // getpid
    asm volatile("int $0x80" : "+a"(result) : : "memory", "r8", "r9", "r10", "r11");
    return 0;
  });
  EXPECT_EQ(end.signal, SIGSYS) << describe(end);
}

TEST_F(ConfinementFilterTest, ACallOfX32EndsTheProcess) {
  const ChildEnd end = confined(around_, [] { return call(0x40000000L | SYS_getpid); });
  EXPECT_EQ(end.signal, SIGSYS) << describe(end);
}
#endif

}  // namespace
}  // namespace haloscope::process
