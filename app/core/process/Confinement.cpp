#include "process/Confinement.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <pthread.h>
#include <sched.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>
#include <system_error>
#include <thread>
#include <utility>

#include "process/SystemCallFilter.h"

namespace haloscope::process {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void failConfining(const char* what) {
  throw ConfinementError(fmt::format("the process cannot be confined: {}: {}", what, std::strerror(errno)));
}

// -- files

/// Files that may be open at a time beside those kept.
constexpr int kOpenFiles = 256;

void closeUnlessIn(const std::vector<int>& kept, int file) {
  if (!std::ranges::binary_search(kept, file)) { close(file); }
}

// -- who the process is

using Capabilities = std::uint64_t;

Capabilities bitOf(int capability) { return Capabilities{1} << capability; }

__user_cap_header_struct capabilityHeader() { return {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0}; }

Capabilities permittedCapabilities() {
  __user_cap_header_struct header = capabilityHeader();
  std::array<__user_cap_data_struct, 2> halves{};
  if (syscall(SYS_capget, &header, halves.data()) != 0) { return 0; }
  return halves[0].permitted | Capabilities{halves[1].permitted} << 32;
}

void keepCapabilities(Capabilities kept) {
  const auto low = static_cast<std::uint32_t>(kept);
  const auto high = static_cast<std::uint32_t>(kept >> 32);
  __user_cap_header_struct header = capabilityHeader();
  const std::array<__user_cap_data_struct, 2> halves{{{low, low, 0}, {high, high, 0}}};
  if (syscall(SYS_capset, &header, halves.data()) != 0) { failConfining("capset"); }
}

/// For folders that are root's alone. A container may have only the second one, which would also permit writing.
Capabilities readingCapability() {
  const Capabilities permitted = permittedCapabilities();
  const Capabilities reading = permitted & bitOf(CAP_DAC_READ_SEARCH);
  return reading != 0 ? reading : permitted & bitOf(CAP_DAC_OVERRIDE);
}

bool isUserNow(uid_t user) {
  return setgroups(0, nullptr) == 0 && setresgid(user, user, user) == 0 && setresuid(user, user, user) == 0;
}

/// Gives up being root: for root, the kernel does not limit threads. The new user is no other process's, since its
/// number is this process's above those that systemd gives to anyone; in a container, which may have the first 65,536
/// users only, it is among those given to services, and hardly another process's. Not if the parent process could no
/// longer end this one.
void giveUpRoot() {
  const Capabilities needed = bitOf(CAP_SETUID) | bitOf(CAP_SETGID) | bitOf(CAP_KILL);
  if (getuid() != 0 || (permittedCapabilities() & needed) != needed) { return; }
  constexpr unsigned kFirstUser = 0x7000'0000;
  constexpr unsigned kFirstService = 61184;
  constexpr unsigned kServices = 65520 - kFirstService;
  const auto process = static_cast<unsigned>(getpid());
  prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0);
  // Without either user, this process stays what it is.
  if (!isUserNow(kFirstUser + process)) { (void)isUserNow(kFirstService + process % kServices); }
  prctl(PR_SET_KEEPCAPS, 0, 0, 0, 0);
}

/// Leaves the network and System V IPC; for users other than root that takes a user namespace, in which they are
/// nobody. There is no namespace of processes, because a process that asks for one can start no more threads.
void leaveNamespaces() {
  constexpr int kSpaces = CLONE_NEWNET | CLONE_NEWIPC;
  if (getuid() == 0 && unshare(kSpaces) == 0) { return; }
  if (getuid() != 0 && unshare(CLONE_NEWUSER | kSpaces) != 0) { (void)!unshare(CLONE_NEWUSER); }
}

// -- Landlock

/// The parts of landlock_ruleset_attr by the version of Landlock; <linux/landlock.h> may be older than the kernel.
struct LandlockRules {
  std::uint64_t files = 0;
  std::uint64_t network = 0;  ///< from version 4 on
  std::uint64_t scopes = 0;   ///< from version 6 on: signals and abstract sockets
};

/// Forbids all use of files except reading below `readable`. False where there is no Landlock.
bool restrictFiles(const std::vector<fs::path>& readable) {
  const long version = syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (version < 1) { return false; }
  const int rights = version >= 5 ? 16 : version >= 3 ? 15 : version >= 2 ? 14 : 13;
  const LandlockRules rules{
      .files = (std::uint64_t{1} << rights) - 1, .network = version >= 4 ? 3U : 0U, .scopes = version >= 6 ? 3U : 0U};
  const std::size_t size = version >= 6   ? sizeof rules
                           : version >= 4 ? offsetof(LandlockRules, scopes)
                                          : offsetof(LandlockRules, network);
  const int set = static_cast<int>(syscall(SYS_landlock_create_ruleset, &rules, size, 0));
  if (set < 0) { return false; }
  for (const fs::path& path : readable) {
    const int file = open(path.c_str(), O_PATH | O_CLOEXEC);
    if (file < 0) { continue; }
    struct stat facts{};
    const bool folder = fstat(file, &facts) == 0 && S_ISDIR(facts.st_mode);
    landlock_path_beneath_attr rule{};
    rule.allowed_access = LANDLOCK_ACCESS_FS_READ_FILE | (folder ? LANDLOCK_ACCESS_FS_READ_DIR : 0);
    rule.parent_fd = file;
    syscall(SYS_landlock_add_rule, set, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    close(file);
  }
  const bool restricted = syscall(SYS_landlock_restrict_self, set, 0) == 0;
  close(set);
  return restricted;
}

// -- limits

/// Lowers a limit; one that is lower already stays.
void limit(__rlimit_resource resource, rlim_t most, rlim_t beforeTheEnd = 0) {
  rlimit now{};
  if (getrlimit(resource, &now) != 0) { failConfining("getrlimit"); }
  const rlimit lowered{std::min(most, now.rlim_max), std::min(most + beforeTheEnd, now.rlim_max)};
  if (setrlimit(resource, &lowered) != 0) { failConfining("setrlimit"); }
}

void limitProcessorTime(std::chrono::seconds more) {
  timespec used{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  limit(RLIMIT_CPU, static_cast<rlim_t>(used.tv_sec + 1 + std::max<std::int64_t>(more.count(), 0)), 1);
}

std::size_t mappedBytes() {
  std::size_t pages = 0;
  if (!(std::ifstream("/proc/self/statm") >> pages)) { failConfining("/proc/self/statm"); }
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

bool canStartThread() {
  // Not std::thread, which allocates: a thread that does gets a heap of its own, 64 MiB of address space.
  constexpr std::size_t kStackBytes = std::size_t{256} << 10;
  pthread_attr_t attributes{};
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  pthread_t thread{};
  const bool started = pthread_create(&thread, &attributes, [](void*) -> void* { return nullptr; }, nullptr) == 0;
  if (started) { pthread_join(thread, nullptr); }
  pthread_attr_destroy(&attributes);
  return started;
}

/// Permits `more` threads at a time. The kernel limits the threads of a user, all processes together, whose present
/// number only trying can tell: they may be in other containers. False if this process is not limited.
bool limitThreads(unsigned more) {
  rlimit allowed{};
  if (getrlimit(RLIMIT_NPROC, &allowed) != 0) { return false; }
  rlimit tried = allowed;
  const auto canStart = [&tried](rlim_t threads) {
    tried.rlim_cur = threads;
    return setrlimit(RLIMIT_NPROC, &tried) == 0 && canStartThread();
  };
  constexpr rlim_t kAlone = 2;                                      // this thread and the tried one
  const rlim_t most = std::min(allowed.rlim_max, rlim_t{1} << 22);  // the highest thread number of any kernel
  if (canStart(0)) { return false; }
  rlim_t needed = kAlone;
  while (!canStart(needed)) {
    if (needed >= most) { return false; }
    needed = std::min(needed + needed / 8 + 1, most);
  }
  // The user's other processes start threads, too, and should not use up this one's.
  constexpr rlim_t kOthers = 64;
  limit(RLIMIT_NPROC, needed - 1 + more + (needed == kAlone ? 0 : kOthers));
  return true;
}

bool hasOneThread() {
  // A thread that has been joined may still be listed for a moment.
  for (int i = 0; i < 100; ++i) {
    std::error_code unreadable;
    if (std::distance(fs::directory_iterator("/proc/self/task", unreadable), {}) == 1) { return true; }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

void closeAllBut(const std::vector<int>& kept, bool namedFiles) {
  for (int file = 0; file < std::max(kept.empty() ? 0 : kept.back(), kOpenFiles); ++file) {
    const bool named =
        namedFiles && ((file >= kFirstNamedFile && file < kFirstNamedFile + kNamedFiles) || file == kNothing);
    if (!named) { closeUnlessIn(kept, file); }
  }
}

std::vector<int> sorted(std::vector<int> files) {
  std::ranges::sort(files);
  return files;
}

}  // namespace

Isolation::Isolation(std::vector<int> kept, const std::vector<fs::path>& folders, bool namedFiles)
    : hasFolders_(!folders.empty()) {
  kept = sorted(std::move(kept));
  if (!hasOneThread()) { throw ConfinementError("the process cannot be confined: it has more than one thread"); }
  mappedBytes_ = mappedBytes();
  closeAllBut(kept, namedFiles);
  closefrom(std::max(kept.empty() ? 0 : kept.back() + 1, kOpenFiles));
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) { failConfining("PR_SET_NO_NEW_PRIVS"); }
  setsid();
  if (const int now = personality(0xffffffff); (now & READ_IMPLIES_EXEC) != 0) {
    personality(static_cast<unsigned long>(now & ~READ_IMPLIES_EXEC));
  }
  const Capabilities reading = folders.empty() ? 0 : readingCapability();
  leaveNamespaces();
  giveUpRoot();
  keepCapabilities(reading);
  foldersEnforced_ = restrictFiles(folders);
}

void limitResources(const ConfinementLimits& limits) {
  limitProcessorTime(limits.processorTime);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_AS, mappedBytes() + limits.memoryBytes);
}

Confinement::Confinement(const ConfinementLimits& limits, std::vector<int> kept, const std::vector<fs::path>& folders)
    : Confinement(Isolation(kept, folders, limits.namedFiles), limits, kept) {}

Confinement::Confinement(const Isolation& isolation, const ConfinementLimits& limits, std::vector<int> kept)
    : kept_(sorted(std::move(kept))),
      mappedBytes_(isolation.mappedBytes_),
      foldersEnforced_(isolation.foldersEnforced()),
      namedFiles_(limits.namedFiles) {
  closeAllBut(kept_, namedFiles_);
  threadsPermitted_ = limits.threads > 0 && limitThreads(limits.threads);
  limitProcessorTime(limits.processorTime);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, 0);
  limit(RLIMIT_MEMLOCK, 0);
  limit(RLIMIT_NOFILE, kOpenFiles);
  limit(RLIMIT_AS, isolation.mappedBytes_ + limits.memoryBytes);
  // Changes of user and capabilities reset both.
  if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) { failConfining("PR_SET_DUMPABLE"); }
  if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0) { failConfining("PR_SET_PDEATHSIG"); }
  enter(isolation.hasFolders_ ? Stage::Compile : Stage::Load);
}

void Confinement::enter(Stage stage) {
  filterSystemCalls(stage, {.kept = kept_, .threads = threadsPermitted_, .namedFiles = namedFiles_});
  stage_ = stage;
}

void Confinement::limitMemory(std::size_t bytes) const {
  rlimit now{};
  if (getrlimit(RLIMIT_AS, &now) != 0) { failConfining("getrlimit"); }
  now.rlim_cur = std::min<rlim_t>(mappedBytes_ + bytes, now.rlim_max);
  if (setrlimit(RLIMIT_AS, &now) != 0) { failConfining("setrlimit"); }
}

void Confinement::forbidFiles() {
  if (stage_ != Stage::Compile) { return; }
  closeAllBut(kept_, namedFiles_);
  keepCapabilities(0);
  enter(Stage::Load);
}

void Confinement::forbidNewCode(std::optional<std::chrono::seconds> processorTime) {
  forbidFiles();
  if (stage_ == Stage::Run) { return; }
  if (processorTime) { limitProcessorTime(*processorTime); }
  enter(Stage::Run);
}

}  // namespace haloscope::process
