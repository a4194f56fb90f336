#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <system_error>
#include <vector>

#include "process/ChildProcess.h"
#include "process/Confinement.h"

/// Child processes of the test program that confine themselves.
namespace haloscope::process {

/// Exit status of a child process in which an exception was not caught.
inline constexpr int kThrew = 200;

/// What a confined process may find around it.
struct Surroundings {
  Surroundings() {
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) { fail("socketpair"); }
    std::string pattern = (std::filesystem::temp_directory_path() / "haloscope-confinement-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) { fail("mkdtemp"); }
    folder = pattern;
    std::filesystem::permissions(folder, std::filesystem::perms::all);
    std::ofstream(folder / "file") << "content";
    std::filesystem::permissions(folder / "file", std::filesystem::perms{0666});
    openFolder = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    openFile = open((folder / "file").c_str(), O_RDWR | O_CLOEXEC);
    terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (openFolder < 0 || openFile < 0 || terminal < 0) { fail("open"); }
  }
  Surroundings(const Surroundings&) = delete;
  Surroundings& operator=(const Surroundings&) = delete;
  ~Surroundings() {
    for (const int file : {ends[0], ends[1], openFolder, openFile, terminal}) { close(file); }
    std::filesystem::remove_all(folder);
  }

  [[noreturn]] static void fail(const char* call) { throw std::system_error(errno, std::generic_category(), call); }
  [[nodiscard]] int mine() const { return ends[0]; }
  /// The end of the socket that the child process keeps.
  [[nodiscard]] int theirs() const { return ends[1]; }
  [[nodiscard]] std::string path(const char* name) const { return (folder / name).string(); }

  std::array<int, 2> ends{-1, -1};
  std::filesystem::path folder;  ///< contains "file"
  int openFolder = -1;           ///< not kept
  int openFile = -1;             ///< kept
  int terminal = -1;             ///< kept
  pid_t parent = getpid();
};

/// Runs `body` in a child process, which ends with what it returns.
inline ChildEnd inChild(const std::function<int()>& body) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    int status = kThrew;
    try {
      status = body();
    } catch (const std::exception& problem) { std::fprintf(stderr, "%s\n", problem.what()); }
    _exit(status);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) { return {}; }
  if (WIFSIGNALED(status)) { return {.signal = WTERMSIG(status)}; }
  return {.status = WEXITSTATUS(status)};
}

/// With enough memory for a sanitizer, which keeps what is freed.
inline ConfinementLimits testLimits() {
  return {.memoryBytes = std::size_t{4} << 30, .processorTime = std::chrono::seconds(20), .threads = 0};
}

/// The files that it keeps. Also the standard streams, for messages of failed tests and of sanitizers.
inline std::vector<int> keptFiles(const Surroundings& around) {
  return {0, 1, 2, around.theirs(), around.openFile, around.terminal};
}

/// The same, in a child process that is confined to the last stage.
inline ChildEnd confined(const Surroundings& around, const std::function<int()>& body,
                         const ConfinementLimits& limits = testLimits()) {
  return inChild([&] {
    Confinement confinement(limits, keptFiles(around));
    confinement.forbidNewCode();
    return body();
  });
}

class ConfinedTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists("/proc/sys/kernel/seccomp/actions_avail")) {
      GTEST_SKIP() << "this kernel does not filter system calls (seccomp)";
    }
  }
  Surroundings around_;
};

}  // namespace haloscope::process
