#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <vector>

namespace haloscope::process {

/// The descriptors of files that a process is given under names, see ConfinementLimits::namedFiles.
inline constexpr int kFirstNamedFile = 64, kNamedFiles = 64;
/// /dev/null, where the process has it, for what it writes to files: it may duplicate it from here on, kNothings - 1
/// times.
inline constexpr int kNothing = 128, kNothings = 128;

/// What a confined process may use.
struct ConfinementLimits {
  /// Memory, beyond what it has mapped when it is confined.
  std::size_t memoryBytes = std::size_t{1} << 30;
  /// Time on processors, of all its threads together, from its confinement on. Then it is ended with SIGXCPU, and a
  /// second later, if it ignores that, with SIGKILL. Waiting is not limited: the parent process must do that.
  std::chrono::seconds processorTime{10};
  /// Threads at a time beside the first, while they are permitted at all, see Confinement::threadsPermitted().
  unsigned threads = 0;
  /// Descriptors from kFirstNamedFile on, kNamedFiles of them, are kept, too, but can only be read; kNothing is kept
  /// and can be written; and a system call that opens, removes or renames a file or asks for one by its name raises
  /// SIGSYS in *Run*, whose handler may answer it (see TrappedCall): it is not executed in either case.
  bool namedFiles = false;
};

/// The process could not be confined: nothing hostile may run in it.
class ConfinementError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What a process gives up for good before it is confined: who it is, namespaces, folders, other files. Processes that
/// it forks have given up the same. To be made while the process has one thread.
class Isolation {
 public:
  /// Keeps the descriptors `kept` (and with `namedFiles` those that ConfinementLimits names); all others are closed.
  /// `folders` (or files) that do not exist are left out. Throws ConfinementError.
  explicit Isolation(std::vector<int> kept, const std::vector<std::filesystem::path>& folders = {},
                     bool namedFiles = false);

  /// Whether reading is kept to the folders. If not, the process can read whatever its user can read.
  [[nodiscard]] bool foldersEnforced() const { return foldersEnforced_; }

 private:
  friend class Confinement;
  bool hasFolders_ = false, foldersEnforced_ = false;
  std::size_t mappedBytes_ = 0;  ///< of addresses, when it began
};

/// The limits of memory and processor time alone, for where a process cannot be confined. `memoryBytes` are beyond what
/// it has mapped now. Throws ConfinementError.
void limitResources(const ConfinementLimits& limits);

/// The calling process, confined for good, so that hostile code in it can neither find nor change anything outside of
/// it. To be made before the first hostile byte is read, while the process has one thread. It passes three stages, each
/// of which permits less than the one before.
///
/// In the last stage, *Run*, the process can
/// - allocate, free and protect memory, none of it executable;
/// - read and write its files `kept`: read, readv, write, writev; recvfrom and sendto without an address, fstat, lseek;
///   poll and close;
/// - wait (futex without priority inheritance, sleeping, yielding), tell the time, get random numbers;
/// - handle signals and send them to itself, as abort() does;
/// - start threads, if they are permitted;
/// - ask for its own ids, limits and processor time, and on which processors a thread may run;
/// - end.
/// Any other system call fails with EPERM and does nothing, so that a program which, say, asks for a socket can report
/// that. (clone3 fails with ENOSYS, after which the C library uses clone.) A call of another architecture (of 32 bits,
/// of x32) ends the process with SIGSYS.
///
/// In *Load*, it can also make memory executable that it has written, which then cannot be written any more.
/// In *Compile*, it can also read files in the given folders.
///
/// The filter of system calls (seccomp) suffices for all this, except that it cannot see file names: to keep *Compile*
/// to its folders takes Landlock, see foldersEnforced(). Behind the filter are the usual limits and, where this kernel
/// and user have them, namespaces (user, network, IPC) and Landlock. The process has no capabilities, its memory cannot
/// be inspected by other processes of its user, and it is ended with the thread that started it (see ChildProcess). A
/// process of root becomes one of an otherwise unused user.
class Confinement {
 public:
  enum class Stage { Compile, Load, Run };

  /// Begins with *Compile* or, without folders, with *Load*. `kept` are sockets, pipes or terminals that the process
  /// goes on using (a file on a disk can only be read: writing to it ends the process with SIGXFSZ); all others are
  /// closed, also 0, 1 and 2. Memory that is shared with other processes must be mapped before. `folders` (or files)
  /// that do not exist are left out. Throws ConfinementError.
  explicit Confinement(const ConfinementLimits& limits, std::vector<int> kept,
                       const std::vector<std::filesystem::path>& folders = {});
  /// In a process that an isolated one has forked, and that has one thread: begins with *Load*, unless there are
  /// folders. Throws ConfinementError.
  Confinement(const Isolation& isolation, const ConfinementLimits& limits, std::vector<int> kept);
  Confinement(const Confinement&) = delete;
  Confinement& operator=(const Confinement&) = delete;

  [[nodiscard]] Stage stage() const { return stage_; }
  /// Whether *Compile* is kept to its folders. If not, it can read whatever its user can read.
  [[nodiscard]] bool foldersEnforced() const { return foldersEnforced_; }
  /// False if ConfinementLimits::threads is 0, or if this kernel and user do not allow limiting them.
  [[nodiscard]] bool threadsPermitted() const { return threadsPermitted_; }

  /// How much memory the process may use from now on, within ConfinementLimits::memoryBytes. Not in *Run*.
  void limitMemory(std::size_t bytes) const;
  /// From *Compile* to *Load*: closes all files but those kept, and opens no more. Throws ConfinementError.
  void forbidFiles();
  /// To *Run*: no more memory becomes executable. With `processorTime`, that is what is left from now on, if the
  /// constructor's limit does not end the process before. To be called before hostile code runs. Throws
  /// ConfinementError.
  void forbidNewCode(std::optional<std::chrono::seconds> processorTime = {});

 private:
  void enter(Stage stage);

  std::vector<int> kept_;
  std::size_t mappedBytes_ = 0;
  Stage stage_ = Stage::Compile;
  bool foldersEnforced_ = false, threadsPermitted_ = false, namedFiles_ = false;
};

}  // namespace haloscope::process
