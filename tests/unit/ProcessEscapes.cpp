#include <linux/capability.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <ctime>

#include "EscapeAttempts.h"

namespace haloscope::process {
namespace {

constexpr pid_t kNobody = 0x3fffffff;  // beyond the largest id

/// Of a call that returns the id of a new process.
int resultOfFork(long returned) {
  if (returned == 0) { _exit(0); }
  if (returned > 0) { waitpid(static_cast<pid_t>(returned), nullptr, __WALL); }
  return resultOf(returned);
}

}  // namespace

std::vector<Attempt> processEscapes() {
  return {
      // Other processes
      {"Fork", [](Around) { return resultOfFork(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)); }},
      {"ForkByTheLibrary", [](Around) { return resultOfFork(fork()); }},
      {"CloneWithAllMemory", [](Around) { return call(SYS_clone, CLONE_VM | SIGCHLD, 0, 0, 0, 0); },
       Control::Dangerous},
      {"CloneAsASibling", [](Around) { return call(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0); },
       Control::Dangerous},
      {"CloneInAUserNamespace",
       [](Around) { return resultOfFork(syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0)); }},
      {"CloneAThread",  // none are permitted in these tests
       [](Around) { return call(SYS_clone, CLONE_VM | CLONE_SIGHAND | CLONE_THREAD, 0, 0, 0, 0); }, Control::Dangerous},
      {"Clone3",
       [](Around) {
         std::array<std::uint64_t, 8> arguments{};
         arguments[4] = SIGCHLD;
         return resultOfFork(syscall(SYS_clone3, arguments.data(), sizeof arguments));
       },
       Control::Tried, ENOSYS},
#ifdef SYS_vfork
      {"OldFork", [](Around) { return resultOfFork(syscall(SYS_fork)); }},
      {"Vfork", [](Around) { return call(SYS_vfork); }, Control::Dangerous},
#endif
      {"Execute",
       [](Around) {
         const std::array<const char*, 1> none{};
         return call(SYS_execve, "/bin/true", none.data(), none.data());
       }},
      {"KillTheParent", [](Around at) { return call(SYS_kill, at.parent, 0); }},
      {"KillEveryone", [](Around) { return call(SYS_kill, -1, 0); }},
      {"KillTheGroup", [](Around) { return call(SYS_kill, 0, 0); }},
      {"KillAThreadOfTheParent", [](Around at) { return call(SYS_tgkill, at.parent, at.parent, 0); }},
      // Processes that do not exist: no other rule of the kernel hides the filter's.
      {"KillAThreadOfNobody", [](Around) { return resultOrGetsTo(ESRCH, call(SYS_tgkill, kNobody, kNobody, 0)); }},
      {"NobodysLimits",
       [](Around) {
         rlimit now{};
         return resultOrGetsTo(ESRCH, call(SYS_prlimit64, kNobody, RLIMIT_AS, nullptr, &now));
       }},
      {"KillAnyThread", [](Around at) { return call(SYS_tkill, at.parent, 0); }},
      {"QueueASignal",
       [](Around at) {
         siginfo_t facts{};
         facts.si_code = SI_QUEUE;
         return call(SYS_rt_sigqueueinfo, at.parent, 0, &facts);
       }},
      {"Pidfd", [](Around at) { return call(SYS_pidfd_open, at.parent, 0); }},
      {"PidfdSignal",
       [](Around at) { return resultOrGetsTo(EBADF, call(SYS_pidfd_send_signal, at.theirs(), 0, nullptr, 0)); }},
      {"PidfdGetfd", [](Around at) { return resultOrGetsTo(EBADF, call(SYS_pidfd_getfd, at.theirs(), 0, 0)); }},
      {"TraceTheParent", [](Around at) { return call(SYS_ptrace, PTRACE_SEIZE, at.parent, 0, 0); }},
      {"BeTraced", [](Around) { return call(SYS_ptrace, PTRACE_TRACEME, 0, 0, 0); }},
      {"ReadTheParentsMemory",
       [](Around at) {
         pid_t parent = 0;
         const iovec here{&parent, sizeof parent};
         const iovec there{const_cast<pid_t*>(&at.parent), sizeof at.parent};
         return call(SYS_process_vm_readv, at.parent, &here, 1, &there, 1, 0);
       }},
      {"WriteTheParentsMemory",
       [](Around at) {
         pid_t parent = at.parent;
         const iovec here{&parent, sizeof parent};
         const iovec there{const_cast<pid_t*>(&at.parent), sizeof at.parent};
         return call(SYS_process_vm_writev, at.parent, &here, 1, &there, 1, 0);
       }},
      {"Kcmp", [](Around at) { return call(SYS_kcmp, at.parent, at.parent, 1, 0, 0); }},
      {"Priority", [](Around at) { return call(SYS_setpriority, PRIO_PROCESS, at.parent, 0); }},
      {"Affinity",
       [](Around at) {
         const std::uint64_t all = ~std::uint64_t{0};
         return call(SYS_sched_setaffinity, at.parent, sizeof all, &all);
       }},
      {"Scheduler",
       [](Around) {
         const int priority = 0;
         return call(SYS_sched_setscheduler, 0, SCHED_BATCH, &priority);
       }},
      {"ParentsLimits",
       [](Around at) {
         rlimit now{};
         return call(SYS_prlimit64, at.parent, RLIMIT_AS, nullptr, &now);
       }},
      {"ParentsClock",
       [](Around at) {
         timespec time{};
         return call(SYS_clock_gettime, (~at.parent << 3) | 2, &time);
       }},
      {"Wait", [](Around) { return resultOrGetsTo(ECHILD, call(SYS_wait4, -1, nullptr, WNOHANG, nullptr)); }},
      {"Session", [](Around) { return call(SYS_setsid); }},
      {"OtherSession", [](Around at) { return call(SYS_getsid, at.parent); }},

      // Own limits and rights
      {"RaiseALimit",
       [](Around) {
         rlimit memory{};
         getrlimit(RLIMIT_AS, &memory);
         memory.rlim_cur = memory.rlim_max;
         return call(SYS_prlimit64, 0, RLIMIT_AS, &memory, nullptr);
       }},
      {"RaiseALimitByTheLibrary",
       [](Around) {
         rlimit files{};
         getrlimit(RLIMIT_NOFILE, &files);
         files.rlim_cur = files.rlim_max;
         return resultOf(setrlimit(RLIMIT_NOFILE, &files));
       }},
      {"SetUser", [](Around) { return call(SYS_setresuid, -1, -1, -1); }},
      {"BecomeRoot", [](Around) { return call(SYS_setuid, 0); }},
      {"SetGroup", [](Around) { return call(SYS_setresgid, -1, -1, -1); }},
      {"SetGroups", [](Around) { return call(SYS_setgroups, 0, nullptr); }},
      {"Capabilities",
       [](Around) {
         __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
         const std::array<__user_cap_data_struct, 2> none{};
         return call(SYS_capset, &header, none.data());
       }},
      {"BecomeDumpable", [](Around) { return call(SYS_prctl, PR_SET_DUMPABLE, 1, 0, 0, 0); }},
      {"OutliveTheParent", [](Around) { return call(SYS_prctl, PR_SET_PDEATHSIG, 0, 0, 0, 0); }},
      {"SeccompByPrctl",
       [](Around) {
         return resultOrGetsTo(EFAULT, call(SYS_prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, nullptr, 0, 0));
       }},
      {"Seccomp",
       [](Around) {
         return resultOrGetsTo(EFAULT, call(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, nullptr));
       }},
      {"SeccompListener",
       [](Around) {
         return resultOrGetsTo(EFAULT,
                               call(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, nullptr));
       }},
      {"Landlock",
       [](Around) { return call(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION); }},
      {"Personality", [](Around) { return call(SYS_personality, 0x0400000); }},
      {"Unshare", [](Around) { return call(SYS_unshare, CLONE_FS); }},
      {"UnshareUsers", [](Around) { return call(SYS_unshare, CLONE_NEWUSER); }},
      {"Setns", [](Around at) { return resultOrGetsTo(EINVAL, call(SYS_setns, at.openFile, 0)); }},
  };
}

}  // namespace haloscope::process
