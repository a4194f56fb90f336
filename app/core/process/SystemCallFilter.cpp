#include "process/SystemCallFilter.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>

namespace haloscope::process {

namespace {

using Stage = Confinement::Stage;
using Condition = scmp_arg_cmp;
using Conditions = std::vector<Condition>;

/// Of parameters that the kernel declares as int: it reads their lower half only.
Condition isInt(unsigned parameter, int value) {
  return {parameter, SCMP_CMP_MASKED_EQ, 0xffffffff, static_cast<std::uint32_t>(value)};
}
Condition isNull(unsigned parameter) { return {parameter, SCMP_CMP_EQ, 0, 0}; }
/// Of these bits, exactly `value` are set.
Condition bitsAre(unsigned parameter, std::uint64_t bits, std::uint64_t value) {
  return {parameter, SCMP_CMP_MASKED_EQ, bits, value};
}
/// No other bits are set.
Condition onlyBits(unsigned parameter, std::uint64_t bits, std::uint64_t value = 0) {
  return {parameter, SCMP_CMP_MASKED_EQ, ~bits | value, value};
}
/// The same for int.
Condition onlyIntBits(unsigned parameter, std::uint32_t bits) { return {parameter, SCMP_CMP_MASKED_EQ, ~bits, 0}; }

class Filter {
 public:
  Filter() : context_(seccomp_init(SCMP_ACT_ERRNO(EPERM)), seccomp_release) {
    if (!context_) { throw ConfinementError("no memory for the filter of system calls"); }
    set(SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
    set(SCMP_FLTATR_CTL_TSYNC, 1);
    set(SCMP_FLTATR_CTL_NNP, 0);  // done, and later stages could not do it again
  }
  void allow(int call, const Conditions& conditions = {}) { add(SCMP_ACT_ALLOW, call, conditions); }
  void refuse(int error, int call) { add(SCMP_ACT_ERRNO(static_cast<std::uint32_t>(error)), call, {}); }
  void trap(int call) { add(SCMP_ACT_TRAP, call, {}); }
  void load() const {
    if (const int failed = seccomp_load(context_.get()); failed != 0) {
      throw ConfinementError(
          fmt::format("this kernel does not filter system calls (seccomp): {}", std::strerror(-failed)));
    }
  }

 private:
  void set(scmp_filter_attr attribute, std::uint32_t value) {
    if (const int failed = seccomp_attr_set(context_.get(), attribute, value); failed != 0) {
      throw ConfinementError(fmt::format("the filter of system calls cannot be made: {}", std::strerror(-failed)));
    }
  }
  void add(std::uint32_t action, int call, const Conditions& conditions) {
    const int failed = seccomp_rule_add_array(context_.get(), action, call, static_cast<unsigned>(conditions.size()),
                                              conditions.data());
    // -EDOM: another architecture's.
    if (failed != 0 && failed != -EDOM) {
      throw ConfinementError(fmt::format("the filter of system calls cannot be made: {}", std::strerror(-failed)));
    }
  }

  std::unique_ptr<void, void (*)(scmp_filter_ctx)> context_;
};

/// Memory of its own.
void allowMemory(Filter& filter, Stage stage) {
  const std::uint64_t anonymous = MAP_PRIVATE | MAP_ANONYMOUS;
  const Condition anonymousMapping =
      onlyBits(3, anonymous | MAP_FIXED | MAP_FIXED_NOREPLACE | MAP_NORESERVE | MAP_STACK | MAP_POPULATE, anonymous);
  filter.allow(SCMP_SYS(mmap), {bitsAre(2, PROT_EXEC, 0), anonymousMapping});
  filter.allow(SCMP_SYS(mprotect), {bitsAre(2, PROT_EXEC, 0)});
  if (stage != Stage::Run) { filter.allow(SCMP_SYS(mprotect), {bitsAre(2, PROT_WRITE | PROT_EXEC, PROT_EXEC)}); }
  filter.allow(SCMP_SYS(munmap));
  filter.allow(SCMP_SYS(mremap));
  filter.allow(SCMP_SYS(brk));
  for (const int advice : {MADV_DONTNEED, MADV_FREE, MADV_HUGEPAGE, MADV_NOHUGEPAGE}) {
    filter.allow(SCMP_SYS(madvise), {isInt(2, advice)});
  }
}

/// The files that it keeps.
void allowKeptFiles(Filter& filter, const std::vector<int>& kept) {
  for (const int file : kept) {
    for (const int call :
         {SCMP_SYS(read), SCMP_SYS(readv), SCMP_SYS(write), SCMP_SYS(writev), SCMP_SYS(fstat), SCMP_SYS(lseek)}) {
      filter.allow(call, {isInt(0, file)});
    }
    // recvmsg and sendmsg could pass files and addresses.
    filter.allow(SCMP_SYS(recvfrom), {isInt(0, file), isNull(4)});
    filter.allow(SCMP_SYS(sendto), {isInt(0, file), isNull(4)});
    filter.allow(SCMP_SYS(fcntl), {isInt(0, file), isInt(1, F_GETFL)});  // of fdopen()
  }
  filter.allow(SCMP_SYS(poll));
  filter.allow(SCMP_SYS(ppoll));
  filter.allow(SCMP_SYS(close));
}

/// Reading the files that it was given under names.
void allowNamedFiles(Filter& filter) {
  const Condition named = {0, SCMP_CMP_MASKED_EQ, 0xffffffff & ~static_cast<std::uint64_t>(kNamedFiles - 1),
                           static_cast<std::uint64_t>(kFirstNamedFile)};
  static_assert(kFirstNamedFile % kNamedFiles == 0, "the first bits tell them");
  for (const int call : {SCMP_SYS(read), SCMP_SYS(readv), SCMP_SYS(fstat), SCMP_SYS(lseek)}) {
    filter.allow(call, {named});
  }
  filter.allow(SCMP_SYS(fcntl), {named, isInt(1, F_GETFL)});
}

/// Writing into nothing, and opening it again.
void allowNothing(Filter& filter) {
  const Condition nothing = {0, SCMP_CMP_MASKED_EQ, 0xffffffff & ~static_cast<std::uint64_t>(kNothings - 1),
                             static_cast<std::uint64_t>(kNothing)};
  static_assert(kNothing % kNothings == 0, "the first bits tell them");
  for (const int call :
       {SCMP_SYS(read), SCMP_SYS(readv), SCMP_SYS(write), SCMP_SYS(writev), SCMP_SYS(fstat), SCMP_SYS(lseek)}) {
    filter.allow(call, {nothing});
  }
  filter.allow(SCMP_SYS(fcntl), {nothing, isInt(1, F_GETFL)});
  filter.allow(SCMP_SYS(fcntl), {isInt(0, kNothing), isInt(1, F_DUPFD), isInt(2, kNothing)});
}

/// Calls that name a file are answered by this process itself.
void trapFileNames(Filter& filter) {
  for (const int call : {SCMP_SYS(open), SCMP_SYS(openat), SCMP_SYS(stat), SCMP_SYS(lstat), SCMP_SYS(newfstatat),
                         SCMP_SYS(statx), SCMP_SYS(access), SCMP_SYS(faccessat), SCMP_SYS(faccessat2), SCMP_SYS(unlink),
                         SCMP_SYS(unlinkat), SCMP_SYS(rmdir), SCMP_SYS(rename), SCMP_SYS(renameat), SCMP_SYS(renameat2),
                         SCMP_SYS(mkdir), SCMP_SYS(mkdirat)}) {
    filter.trap(call);
  }
}

/// Waiting for its own threads and for the time.
void allowWaiting(Filter& filter) {
  // Without the operations on mutexes with priority inheritance, in which more than one kernel has had a hole.
  for (const int operation :
       {FUTEX_WAIT, FUTEX_WAKE, FUTEX_CMP_REQUEUE, FUTEX_WAKE_OP, FUTEX_WAIT_BITSET, FUTEX_WAKE_BITSET}) {
    filter.allow(SCMP_SYS(futex), {{1, SCMP_CMP_MASKED_EQ, static_cast<std::uint32_t>(FUTEX_CMD_MASK),
                                    static_cast<std::uint32_t>(operation)}});
  }
  for (const int call : {SCMP_SYS(nanosleep), SCMP_SYS(sched_yield), SCMP_SYS(restart_syscall), SCMP_SYS(gettimeofday),
                         SCMP_SYS(time), SCMP_SYS(getcpu)}) {
    filter.allow(call);
  }
  // Negative numbers are the clocks of other processes.
  for (const int call : {SCMP_SYS(clock_gettime), SCMP_SYS(clock_getres), SCMP_SYS(clock_nanosleep)}) {
    filter.allow(call, {{0, SCMP_CMP_LE, CLOCK_TAI, 0}});
  }
}

/// Itself: signals, its end, what it may know of itself.
void allowItself(Filter& filter) {
  const pid_t own = getpid();
  for (const int call :
       {SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn), SCMP_SYS(sigaltstack), SCMP_SYS(exit),
        SCMP_SYS(exit_group), SCMP_SYS(getpid), SCMP_SYS(gettid), SCMP_SYS(getrandom)}) {
    filter.allow(call);
  }
  filter.allow(SCMP_SYS(tgkill), {isInt(0, own)});
  filter.allow(SCMP_SYS(prlimit64), {isInt(0, 0), isNull(2)});
  for (const int who : {RUSAGE_SELF, RUSAGE_THREAD}) { filter.allow(SCMP_SYS(getrusage), {isInt(0, who)}); }
  // The C library asks for a thread by its number, which is not known yet, and might be another process's.
  filter.allow(SCMP_SYS(sched_getaffinity));
}

/// Threads as the C library starts them. No process, whatever the flags.
void allowThreads(Filter& filter) {
  const std::uint64_t flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM |
                              CLONE_SETTLS | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID;
  filter.allow(SCMP_SYS(clone), {{0, SCMP_CMP_EQ, flags, 0}});
  filter.allow(SCMP_SYS(set_robust_list));
  filter.allow(SCMP_SYS(rseq));
}

/// Reading files, whose names a filter cannot see. Whatever is open can be read: the files kept, and those opened here.
void allowFiles(Filter& filter) {
  filter.allow(SCMP_SYS(openat),
               {onlyIntBits(2, O_RDONLY | O_CLOEXEC | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)});
  for (const int call : {SCMP_SYS(read), SCMP_SYS(readv), SCMP_SYS(pread64), SCMP_SYS(lseek), SCMP_SYS(getdents64),
                         SCMP_SYS(fstat), SCMP_SYS(newfstatat), SCMP_SYS(statx), SCMP_SYS(access), SCMP_SYS(faccessat),
                         SCMP_SYS(faccessat2), SCMP_SYS(readlink), SCMP_SYS(readlinkat), SCMP_SYS(getcwd)}) {
    filter.allow(call);
  }
  for (const int command : {F_GETFD, F_SETFD, F_GETFL}) { filter.allow(SCMP_SYS(fcntl), {isInt(1, command)}); }
  filter.allow(SCMP_SYS(mmap), {bitsAre(2, PROT_READ | PROT_WRITE | PROT_EXEC, PROT_READ),
                                onlyBits(3, MAP_PRIVATE | MAP_NORESERVE | MAP_POPULATE, MAP_PRIVATE)});
  filter.allow(SCMP_SYS(capset));  // forbidFiles(); capabilities can only be given up
}

}  // namespace

void filterSystemCalls(Stage stage, const FilteredProcess& process) {
  Filter filter;
  allowMemory(filter, stage);
  allowKeptFiles(filter, process.kept);
  allowWaiting(filter);
  allowItself(filter);
  if (process.threads) { allowThreads(filter); }
  filter.refuse(ENOSYS, SCMP_SYS(clone3));
  if (stage != Stage::Run) {
    // For the next stage: both can only permit less.
    filter.allow(SCMP_SYS(seccomp), {isInt(0, SECCOMP_SET_MODE_FILTER),
                                     onlyIntBits(1, SECCOMP_FILTER_FLAG_TSYNC | SECCOMP_FILTER_FLAG_TSYNC_ESRCH)});
    filter.allow(SCMP_SYS(prlimit64), {isInt(0, 0)});
  }
  if (stage == Stage::Compile) { allowFiles(filter); }
  if (process.namedFiles) {
    if (stage != Stage::Compile) { allowNamedFiles(filter); }
    allowNothing(filter);
    if (stage == Stage::Run) { trapFileNames(filter); }
  }
  filter.load();
}

}  // namespace haloscope::process
