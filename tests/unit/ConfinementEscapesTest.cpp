#include <linux/bpf.h>
#include <linux/capability.h>
#include <linux/io_uring.h>
#include <linux/keyctl.h>
#include <linux/landlock.h>
#include <linux/perf_event.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <ostream>
#include <string>
#include <type_traits>
#include <vector>

#include "ConfinementSupport.h"
#include "process/NamedFiles.h"
#include "process/TrappedCall.h"

/// What hostile code might try, and that it is refused.
namespace haloscope::process {
namespace {

constexpr std::size_t kPageBytes = 65536;  // of any architecture
constexpr pid_t kNobody = 0x3fffffff;      // beyond the largest id

/// 0: it got through.
int resultOf(long returned) { return returned < 0 ? errno : 0; }

/// As wide as the kernel reads it: syscall() leaves the upper half of an int undefined.
template <typename Argument>
auto wide(Argument argument) {
  if constexpr (std::is_integral_v<Argument>) {
    return static_cast<long>(argument);
  } else if constexpr (std::is_null_pointer_v<Argument>) {
    return 0L;
  } else {
    return argument;
  }
}

template <typename... Arguments>
int call(long number, Arguments... arguments) {
  return resultOf(syscall(number, wide(arguments)...));
}

/// Of a call that gets as far as this error.
int resultOrGetsTo(int error, int result) { return result == error ? 0 : result; }

/// Of a call that returns the id of a new process.
int resultOfFork(long returned) {
  if (returned == 0) { _exit(0); }
  if (returned > 0) { waitpid(static_cast<pid_t>(returned), nullptr, __WALL); }
  return resultOf(returned);
}

int resultOfMap(void* memory) { return memory == MAP_FAILED ? errno : 0; }

void* ownPage() { return mmap(nullptr, kPageBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); }

sockaddr_in localAddress() {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

int sendFile(const Surroundings& around) {
  char byte = 0;
  iovec part{&byte, 1};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  cmsghdr* const header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  const int file = around.theirs();
  std::memcpy(CMSG_DATA(header), &file, sizeof file);
  return resultOf(sendmsg(around.theirs(), &message, 0));
}

/// Whether it should get through without confinement: Tried is, Dangerous is not even tried.
enum class Control { Tried, Dangerous };

struct Attempt {
  const char* name;
  int (*run)(const Surroundings& around);
  Control control = Control::Tried;
  int refusal = EPERM;
  int answer = 0;  ///< of a call that names a file, where files have names; 0: it is refused as elsewhere
};

using Around = const Surroundings&;

const Attempt kAttempts[] = {
    // Files
    {"Read", [](Around) { return call(SYS_openat, AT_FDCWD, "/etc/passwd", O_RDONLY); }, Control::Tried, EPERM, ENOENT},
    {"Write", [](Around at) { return call(SYS_openat, AT_FDCWD, at.path("file").c_str(), O_WRONLY); }, Control::Tried, EPERM, EACCES},
    {"Create", [](Around at) { return call(SYS_openat, AT_FDCWD, at.path("new").c_str(), O_WRONLY | O_CREAT, 0600); }, Control::Tried, EPERM, EACCES},
    {"CreateUnnamed",
     [](Around at) { return call(SYS_openat, AT_FDCWD, at.folder.c_str(), O_WRONLY | O_TMPFILE, 0600); }, Control::Tried, EPERM, EACCES},
    {"OpenInAFolderLeftOpen", [](Around at) { return call(SYS_openat, at.openFolder, "file", O_RDONLY); }, Control::Tried, EPERM, ENOENT},
#ifdef SYS_open
    {"OldOpen", [](Around) { return call(SYS_open, "/etc/passwd", O_RDONLY); }, Control::Tried, EPERM, ENOENT},
    {"OldCreat", [](Around at) { return call(SYS_creat, at.path("new").c_str(), 0600); }},
#endif
    {"Openat2",
     [](Around) {
       const std::array<std::uint64_t, 3> how{};
       return call(SYS_openat2, AT_FDCWD, "/etc/passwd", how.data(), sizeof how);
     }},
    {"OwnMemory", [](Around) { return call(SYS_openat, AT_FDCWD, "/proc/self/mem", O_RDWR); }, Control::Tried, EPERM, EACCES},
    {"ParentsMemory",
     [](Around at) {
       const std::string name = "/proc/" + std::to_string(at.parent) + "/mem";
       return call(SYS_openat, AT_FDCWD, name.c_str(), O_RDWR);
     }, Control::Tried, EPERM, EACCES},
    {"Symlink", [](Around at) { return call(SYS_symlinkat, "/etc/passwd", AT_FDCWD, at.path("link").c_str()); }},
    {"Link",
     [](Around at) {
       return call(SYS_linkat, AT_FDCWD, at.path("file").c_str(), AT_FDCWD, at.path("link").c_str(), 0);
     }},
    {"Rename",
     [](Around at) {
       return call(SYS_renameat2, AT_FDCWD, at.path("file").c_str(), AT_FDCWD, at.path("moved").c_str(), 0);
     }},
    {"Unlink", [](Around at) { return call(SYS_unlinkat, AT_FDCWD, at.path("file").c_str(), 0); }},
    {"Mkdir", [](Around at) { return call(SYS_mkdirat, AT_FDCWD, at.path("new").c_str(), 0700); }},
    {"Mknod", [](Around at) { return call(SYS_mknodat, AT_FDCWD, at.path("pipe").c_str(), S_IFIFO | 0600, 0); }},
    {"Chmod", [](Around at) { return call(SYS_fchmodat, AT_FDCWD, at.path("file").c_str(), 0777); }},
    {"ChmodOfAKeptFile", [](Around at) { return call(SYS_fchmod, at.openFile, 0777); }},
    {"Chown", [](Around at) { return call(SYS_fchownat, AT_FDCWD, at.path("file").c_str(), -1, -1, 0); }},
    {"Truncate", [](Around at) { return call(SYS_truncate, at.path("file").c_str(), 0L); }},
    {"TruncateAKeptFile", [](Around at) { return call(SYS_ftruncate, at.openFile, 0L); }},
    {"Utimes", [](Around at) { return call(SYS_utimensat, AT_FDCWD, at.path("file").c_str(), nullptr, 0); }},
    {"Stat",
     [](Around) {
       struct stat facts{};
       return call(SYS_newfstatat, AT_FDCWD, "/etc/passwd", &facts, 0);
     }, Control::Tried, EPERM, ENOENT},
    {"StatThroughAKeptFile",  // the name is absolute
     [](Around at) {
       struct stat facts{};
       return call(SYS_newfstatat, at.openFile, "/etc/passwd", &facts, AT_EMPTY_PATH);
     }, Control::Tried, EPERM, ENOENT},
    {"Statx",
     [](Around) {
       struct statx facts{};
       return call(SYS_statx, AT_FDCWD, "/etc/passwd", 0, STATX_BASIC_STATS, &facts);
     }, Control::Tried, EPERM, ENOENT},
    {"Statfs",
     [](Around) {
       std::array<char, 512> facts{};
       return call(SYS_statfs, "/", facts.data());
     }},
    {"Access", [](Around) { return call(SYS_faccessat, AT_FDCWD, "/etc/passwd", R_OK); }, Control::Tried, EPERM, ENOENT},
    {"Readlink",
     [](Around) {
       std::array<char, 512> name{};
       return call(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", name.data(), name.size());
     }},
    {"Getcwd",
     [](Around) {
       std::array<char, 4096> name{};
       return call(SYS_getcwd, name.data(), name.size());
     }},
    {"Chdir", [](Around) { return call(SYS_chdir, "/"); }},
    {"Fchdir", [](Around at) { return call(SYS_fchdir, at.openFolder); }},
    {"Chroot", [](Around at) { return call(SYS_chroot, at.folder.c_str()); }},
    {"ListAFolderLeftOpen",
     [](Around at) {
       std::array<char, 4096> names{};
       return call(SYS_getdents64, at.openFolder, names.data(), names.size());
     }},
    {"Inotify", [](Around) { return call(SYS_inotify_init1, 0); }},
    {"Fanotify", [](Around) { return call(SYS_fanotify_init, 0, 0); }},
    {"FileHandle",
     [](Around at) {
       std::array<unsigned, 64> handle{128};
       int mount = 0;
       return call(SYS_name_to_handle_at, AT_FDCWD, at.path("file").c_str(), handle.data(), &mount, 0);
     }},
    {"Xattr", [](Around at) { return call(SYS_setxattr, at.path("file").c_str(), "user.x", "y", 1, 0); }},

    // Descriptors
    {"ReadAFileLeftOpen",
     [](Around at) {
       std::array<char, 1> byte{};
       return call(SYS_read, at.mine(), byte.data(), 0);
     }},
    {"WriteAFileLeftOpen", [](Around at) { return call(SYS_write, at.mine(), "x", 1); }},
    {"Dup", [](Around at) { return call(SYS_dup, at.theirs()); }},
    {"Dup3", [](Around at) { return call(SYS_dup3, at.theirs(), 100, 0); }},
    {"DupByFcntl", [](Around at) { return call(SYS_fcntl, at.theirs(), F_DUPFD, 50); }},
    {"NonblockingByFcntl", [](Around at) { return call(SYS_fcntl, at.theirs(), F_SETFL, O_NONBLOCK); }},
    {"SignalsByFcntl", [](Around at) { return call(SYS_fcntl, at.theirs(), F_SETOWN, getpid()); }},
    {"LockByFcntl",
     [](Around at) {
       struct flock lock{};
       lock.l_type = F_WRLCK;
       return call(SYS_fcntl, at.openFile, F_SETLK, &lock);
     }},
    {"Flock", [](Around at) { return call(SYS_flock, at.openFile, 2); }},
    {"Ioctl",
     [](Around at) {
       int waiting = 0;
       return call(SYS_ioctl, at.theirs(), FIONREAD, &waiting);
     }},
    {"TypeIntoTheTerminal", [](Around at) { return call(SYS_ioctl, at.terminal, TIOCSTI, "x"); }, Control::Dangerous},
    {"SendAFile", sendFile},
    {"ReceiveAFile",
     [](Around at) {
       msghdr message{};
       return resultOrGetsTo(EAGAIN, call(SYS_recvmsg, at.theirs(), &message, MSG_DONTWAIT));
     }},
    {"SendTo",
     [](Around at) {
       const sockaddr_un address{.sun_family = AF_UNIX, .sun_path = "/run/somebody"};
       return resultOrGetsTo(EISCONN, call(SYS_sendto, at.theirs(), "x", 1, MSG_NOSIGNAL, &address, sizeof address));
     }},
    {"ReceiveFrom",
     [](Around at) {
       std::array<char, 1> byte{};
       sockaddr_un address{};
       socklen_t size = sizeof address;
       return resultOrGetsTo(EAGAIN, call(SYS_recvfrom, at.theirs(), byte.data(), 1, MSG_DONTWAIT, &address, &size));
     }},
    {"SocketOption",
     [](Around at) {
       const int on = 1;
       return call(SYS_setsockopt, at.theirs(), SOL_SOCKET, SO_PASSCRED, &on, sizeof on);
     }},
    {"PeersCredentials",
     [](Around at) {
       std::array<int, 3> credentials{};
       socklen_t size = sizeof credentials;
       return call(SYS_getsockopt, at.theirs(), SOL_SOCKET, SO_PEERCRED, credentials.data(), &size);
     }},
    {"Sendfile", [](Around at) { return call(SYS_sendfile, at.theirs(), at.openFile, nullptr, 1); }},
    {"CopyFileRange",
     [](Around at) { return call(SYS_copy_file_range, at.openFile, nullptr, at.openFile, nullptr, 0, 0); }},
    {"ReadAt",
     [](Around at) {
       std::array<char, 1> byte{};
       return call(SYS_pread64, at.openFile, byte.data(), 1, 0L);
     }},
    {"WriteAt", [](Around at) { return call(SYS_pwrite64, at.openFile, "x", 1, 0L); }},
    {"Epoll", [](Around) { return call(SYS_epoll_create1, 0); }},
    {"Eventfd", [](Around) { return call(SYS_eventfd2, 0, 0); }},
    {"Timerfd", [](Around) { return call(SYS_timerfd_create, CLOCK_MONOTONIC, 0); }},
    {"Signalfd",
     [](Around) {
       const std::uint64_t mask = 0;
       return call(SYS_signalfd4, -1, &mask, 8, 0);
     }},
    {"Pipe",
     [](Around) {
       std::array<int, 2> made{};
       return call(SYS_pipe2, made.data(), 0);
     }},
    {"Memfd", [](Around) { return call(SYS_memfd_create, "x", 0); }},
    {"RunAMemfd",
     [](Around) {
       const int file = memfd_create("x", 0);
       if (file < 0) { return errno; }
       const std::array<const char*, 1> none{};
       return resultOrGetsTo(ENOEXEC, call(SYS_execveat, file, "", none.data(), none.data(), AT_EMPTY_PATH));
     }},

    // Network
    {"SocketInet", [](Around) { return call(SYS_socket, AF_INET, SOCK_STREAM, 0); }},
    {"SocketInet6", [](Around) { return call(SYS_socket, AF_INET6, SOCK_DGRAM, 0); }},
    {"SocketUnix", [](Around) { return call(SYS_socket, AF_UNIX, SOCK_STREAM, 0); }},
    {"SocketNetlink", [](Around) { return call(SYS_socket, AF_NETLINK, SOCK_RAW, 0); }},
    {"SocketPacket", [](Around) { return call(SYS_socket, AF_PACKET, SOCK_RAW, 0); }},
    {"Socketpair",
     [](Around) {
       std::array<int, 2> made{};
       return call(SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, made.data());
     }},
    {"Connect",
     [](Around at) {
       const sockaddr_in address = localAddress();
       const int result = call(SYS_connect, at.theirs(), &address, sizeof address);
       return result == EINVAL || result == EISCONN ? 0 : result;
     }},
    {"Bind",
     [](Around at) {
       const sa_family_t family = AF_UNIX;  // an abstract name of the kernel's choice
       return call(SYS_bind, at.theirs(), &family, sizeof family);
     }},
    {"Listen",
     [](Around at) {
       return resultOrGetsTo(EINVAL, call(SYS_listen, at.theirs(), 1));
     }},

    // Other processes
    {"Fork", [](Around) { return resultOfFork(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)); }},
    {"ForkByTheLibrary", [](Around) { return resultOfFork(fork()); }},
    {"CloneWithAllMemory", [](Around) { return call(SYS_clone, CLONE_VM | SIGCHLD, 0, 0, 0, 0); }, Control::Dangerous},
    {"CloneAsASibling", [](Around) { return call(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0); }, Control::Dangerous},
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
     [](Around at) {
       return resultOrGetsTo(EBADF, call(SYS_pidfd_send_signal, at.theirs(), 0, nullptr, 0));
     }},
    {"PidfdGetfd",
     [](Around at) {
       return resultOrGetsTo(EBADF, call(SYS_pidfd_getfd, at.theirs(), 0, 0));
     }},
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
       return resultOrGetsTo(EFAULT, call(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, nullptr));
     }},
    {"Landlock", [](Around) { return call(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION); }},
    {"Personality", [](Around) { return call(SYS_personality, 0x0400000); }},
    {"Unshare", [](Around) { return call(SYS_unshare, CLONE_FS); }},
    {"UnshareUsers", [](Around) { return call(SYS_unshare, CLONE_NEWUSER); }},
    {"Setns",
     [](Around at) {
       return resultOrGetsTo(EINVAL, call(SYS_setns, at.openFile, 0));
     }},

    // The kernel's other doors
    {"IoUring",
     [](Around) {
       io_uring_params parameters{};
       return call(SYS_io_uring_setup, 1, &parameters);
     }},
    {"Bpf",
     [](Around) {
       bpf_attr attributes{};
       attributes.map_type = BPF_MAP_TYPE_ARRAY;
       attributes.key_size = 4;
       attributes.value_size = 4;
       attributes.max_entries = 1;
       return call(SYS_bpf, BPF_MAP_CREATE, &attributes, sizeof attributes);
     }},
    {"PerfEvent",
     [](Around) {
       perf_event_attr attributes{};
       attributes.size = sizeof attributes;
       attributes.type = PERF_TYPE_SOFTWARE;
       return call(SYS_perf_event_open, &attributes, 0, -1, -1, 0);
     }},
    {"Userfaultfd", [](Around) { return call(SYS_userfaultfd, 0); }},
    {"Keyctl", [](Around) { return call(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_PROCESS_KEYRING, 1, 0, 0); }},
    {"AddKey", [](Around) { return call(SYS_add_key, "user", "x", "y", 1, KEY_SPEC_PROCESS_KEYRING); }},
    {"RequestKey",
     [](Around) { return resultOrGetsTo(ENOKEY, call(SYS_request_key, "user", "no such key", nullptr, 0)); }},
    {"Mount", [](Around at) { return call(SYS_mount, "none", at.folder.c_str(), "tmpfs", 0, nullptr); },
     Control::Dangerous},
    {"Umount", [](Around at) { return resultOrGetsTo(EINVAL, call(SYS_umount2, at.folder.c_str(), 0)); }},
    {"OpenTree", [](Around at) { return call(SYS_open_tree, AT_FDCWD, at.folder.c_str(), 0); }},
    {"Fsopen", [](Around) { return call(SYS_fsopen, "tmpfs", 0); }},
    {"PivotRoot", [](Around at) { return call(SYS_pivot_root, at.folder.c_str(), at.folder.c_str()); },
     Control::Dangerous},
    {"SharedMemorySegment",
     [](Around) {
       const int segment = shmget(IPC_PRIVATE, kPageBytes, IPC_CREAT | 0600);
       const int result = resultOf(segment);
       if (segment >= 0) { shmctl(segment, IPC_RMID, nullptr); }
       return result;
     }},
    {"MessageQueue",
     [](Around) {
       const int queue = msgget(IPC_PRIVATE, IPC_CREAT | 0600);
       const int result = resultOf(queue);
       if (queue >= 0) { msgctl(queue, IPC_RMID, nullptr); }
       return result;
     }},
    {"Semaphores",
     [](Around) {
       const int semaphores = semget(IPC_PRIVATE, 1, IPC_CREAT | 0600);
       const int result = resultOf(semaphores);
       if (semaphores >= 0) { semctl(semaphores, 0, IPC_RMID); }
       return result;
     }},
    {"PosixQueue",
     [](Around) { return resultOrGetsTo(ENOENT, call(SYS_mq_open, "no such queue", O_RDONLY, 0, nullptr)); }},
    {"Module", [](Around) { return call(SYS_init_module, nullptr, 0, nullptr); }, Control::Dangerous},
    {"Reboot", [](Around) { return call(SYS_reboot, 0, 0, 0, nullptr); }, Control::Dangerous},
    {"Hostname", [](Around) { return call(SYS_sethostname, "", 0); }, Control::Dangerous},
    {"KernelLog", [](Around) { return call(SYS_syslog, 10, nullptr, 0); }},
    {"KernelVersion",
     [](Around) {
       std::array<char, 1024> facts{};
       return call(SYS_uname, facts.data());
     }},
    {"MachineLoad",
     [](Around) {
       std::array<char, 1024> facts{};
       return call(SYS_sysinfo, facts.data());
     }},
    {"IntervalTimer",
     [](Around) {
       const itimerval off{};
       return call(SYS_setitimer, ITIMER_REAL, &off, nullptr);
     }},
    {"Timer",
     [](Around) {
       int timer = 0;
       return call(SYS_timer_create, CLOCK_MONOTONIC, nullptr, &timer);
     }},
    {"PriorityFutex",
     [](Around) {
       unsigned word = 0;
       return call(SYS_futex, &word, 6 /* FUTEX_LOCK_PI */, 0, nullptr, nullptr, 0);
     }},
#ifdef SYS_modify_ldt
    {"LocalDescriptors",
     [](Around) {
       std::array<char, 64> table{};
       return call(SYS_modify_ldt, 0, table.data(), table.size());
     }},
    {"Ports", [](Around) { return call(SYS_iopl, 0); }},
    {"ThreadPointer",
     [](Around) {
       unsigned long base = 0;
       return call(SYS_arch_prctl, 0x1003 /* ARCH_GET_FS */, &base);
     }},
#endif

    // New code, and memory that is not its own
    {"MapExecutable",
     [](Around) {
       return resultOfMap(mmap(nullptr, kPageBytes, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
     }},
    {"MapWritableAndExecutable",
     [](Around) {
       return resultOfMap(
           mmap(nullptr, kPageBytes, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
     }},
    {"MakeDataExecutable", [](Around) { return resultOf(mprotect(ownPage(), kPageBytes, PROT_READ | PROT_EXEC)); }},
    {"MakeDataWritableAndExecutable",
     [](Around) { return resultOf(mprotect(ownPage(), kPageBytes, PROT_READ | PROT_WRITE | PROT_EXEC)); }},
    {"MakeDataExecutableByKey",
     [](Around) { return call(SYS_pkey_mprotect, ownPage(), kPageBytes, PROT_READ | PROT_EXEC, -1); }},
    {"MapAFile", [](Around at) { return resultOfMap(mmap(nullptr, 1, PROT_READ, MAP_PRIVATE, at.openFile, 0)); }},
    {"MapAFileShared",
     [](Around at) { return resultOfMap(mmap(nullptr, 1, PROT_READ | PROT_WRITE, MAP_SHARED, at.openFile, 0)); }},
    {"MapAFileExecutable",
     [](Around at) { return resultOfMap(mmap(nullptr, 1, PROT_READ | PROT_EXEC, MAP_PRIVATE, at.openFile, 0)); }},
    {"MapShared",
     [](Around) { return resultOfMap(mmap(nullptr, kPageBytes, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0)); }},
    {"MapDownwards",
     [](Around) {
       return resultOfMap(mmap(nullptr, kPageBytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN, -1, 0));
     }},
    {"AttachASegment", [](Around) { return resultOrGetsTo(EINVAL, call(SYS_shmat, 123456789, nullptr, SHM_EXEC)); }},
    {"LockMemory", [](Around) { return call(SYS_mlock, ownPage(), 4096); }},
    {"LockAllMemory", [](Around) { return resultOrGetsTo(ENOMEM, call(SYS_mlockall, MCL_FUTURE)); }},
    {"MergeMemory",
     [](Around) { return resultOrGetsTo(EINVAL, call(SYS_madvise, ownPage(), kPageBytes, MADV_MERGEABLE)); }},
    {"ResidentPages",
     [](Around) {
       std::array<unsigned char, kPageBytes / 4096> pages{};
       return call(SYS_mincore, ownPage(), kPageBytes, pages.data());
     }},
    {"RemapFilePages", [](Around) { return resultOrGetsTo(EINVAL, call(SYS_remap_file_pages, ownPage(), 0, 0, 0, 0)); }},
};

void PrintTo(const Attempt& attempt, std::ostream* out) { *out << attempt.name; }

class EscapeTest : public ConfinedTest, public testing::WithParamInterface<Attempt> {};

TEST_P(EscapeTest, IsRefused) {
  const Attempt& attempt = GetParam();
  const ChildEnd end = confined(around_, [&] { return attempt.run(around_); });
  EXPECT_EQ(end.status, attempt.refusal) << describe(end) << (end.status == 0 ? ": it got through" : "");

  // Without confinement it gets through; otherwise it would only be badly made.
  if (attempt.control == Control::Dangerous) { return; }
  const ChildEnd control = inChild([&] { return attempt.run(around_); });
  // Not everything is permitted to every user, or known to every kernel.
  for (const int error : {EPERM, EACCES, ENOSYS, EOPNOTSUPP, EAFNOSUPPORT, ENODEV}) {
    if (control.status == error) { return; }
  }
  EXPECT_EQ(control.status, 0) << "without confinement: " << describe(control) << ", "
                               << std::strerror(control.status.value_or(0));
}

/// As a program's process answers, which has been given no file.
void answerTrappedCall(int, siginfo_t* info, void* context) {
  if (!TrappedCall::isOne(*info)) { return; }
  TrappedCall call(*info, context);
  answerFileCall(call, [] { return TextPlace{.file = "main.cu", .line = 7}; });
}

void answerTrappedCalls() {
  struct sigaction action{};
  action.sa_sigaction = answerTrappedCall;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSYS, &action, nullptr);
}

TEST_P(EscapeTest, IsRefusedWhereFilesHaveNames) {
  const Attempt& attempt = GetParam();
  const ChildEnd end = inChild([&] {
    ConfinementLimits limits = testLimits();
    limits.namedFiles = true;
    Confinement confinement(limits, keptFiles(around_));
    answerTrappedCalls();
    confinement.forbidNewCode();
    return attempt.run(around_);
  });
  // A file that has no name is not there, or cannot be written.
  EXPECT_EQ(end.status, attempt.answer != 0 ? attempt.answer : attempt.refusal)
      << describe(end) << (end.status == 0 ? ": it got through" : "");
}

INSTANTIATE_TEST_SUITE_P(Confinement, EscapeTest, testing::ValuesIn(kAttempts),
                         [](const auto& attempt) { return std::string(attempt.param.name); });

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
    if (call(SYS_read, kFirstNamedFile + kNamedFiles, text.data(), 1) != EPERM) { return 8; }
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
