#include "process/ChildProcess.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "process/Descriptor.h"
#include "process/SharedMemory.h"

namespace haloscope::process {
namespace {

using namespace std::chrono_literals;

/// Everything that is written to a pipe, once no process can write any more.
std::string readAll(Pipe& pipe) {
  pipe.writing.close();
  std::string text;
  std::array<char, 256> part{};
  for (ssize_t got = 0; (got = read(pipe.reading.number(), part.data(), part.size())) > 0;) {
    text.append(part.data(), static_cast<std::size_t>(got));
  }
  return text;
}

/// A shell that runs `script`.
ChildStart shell(const std::string& script) { return {.program = "/bin/sh", .arguments = {"-c", script}}; }

std::string endOf(const ChildProcess& child) {
  const std::optional<ChildEnd> end = child.waitForEnd(20s);
  return end ? describe(*end) : "is alive";
}

TEST(ChildProcess, ReportsHowItEnded) {
  const ChildProcess exits(shell("exit 7"));
  EXPECT_EQ(endOf(exits), "ended with status 7");
  EXPECT_EQ(exits.ended()->status, 7);
  EXPECT_FALSE(exits.ended()->signal);
  const ChildProcess crashes(shell("kill -SEGV $$"));
  EXPECT_EQ(endOf(crashes), "was ended by signal 11 (Segmentation fault)");
  EXPECT_EQ(crashes.ended()->signal, SIGSEGV);
  EXPECT_EQ(describe({}), "has disappeared");
}

TEST(ChildProcess, LivesUntilItIsKilled) {
  ChildProcess child(shell("sleep 100"));
  EXPECT_FALSE(child.waitForEnd(50ms));
  EXPECT_FALSE(child.ended());
  child.kill();
  EXPECT_EQ(endOf(child), "was ended by signal 9 (Killed)");
  child.kill();
}

TEST(ChildProcess, EndsWithItsObject) {
  Pipe pipe;
  {
    ChildStart start = shell("exec sleep 100");
    start.files = {{pipe.writing.number(), 3}};
    ChildProcess child(start);
    const ChildProcess moved = std::move(child);
    EXPECT_FALSE(moved.ended());
  }
  EXPECT_EQ(readAll(pipe), "");  // comes back when the process has closed its end
}

TEST(ChildProcess, OutlivesTheThreadThatAskedForIt) {
  std::optional<ChildProcess> child;
  std::thread([&] {
    child.emplace(ChildStart{.program = "/usr/bin/setpriv", .arguments = {"--pdeathsig", "KILL", "sleep", "100"}});
    std::this_thread::sleep_for(100ms);
  }).join();
  EXPECT_FALSE(child->waitForEnd(200ms)) << describe(*child->ended());
}

TEST(ChildProcess, HasOnlyTheGivenFiles) {
  Pipe pipe;
  const Pipe other;
  const int leaked = dup(other.reading.number());  // without FD_CLOEXEC
  ChildStart start = shell("exec ls /proc/self/fd >&7");
  start.files = {{pipe.writing.number(), 7}, {other.reading.number(), 5}};
  const ChildProcess child(start);
  EXPECT_EQ(endOf(child), "ended with status 0");
  close(leaked);
  EXPECT_EQ(readAll(pipe), "0\n1\n2\n3\n5\n7\n");  // 3: the folder that ls reads
}

TEST(ChildProcess, FilesMaySwapTheirNumbers) {
  Pipe first;
  Pipe second;
  const int a = first.writing.number();
  const int b = second.writing.number();
  ChildStart start = shell("echo first >&" + std::to_string(b) + "; echo second >&" + std::to_string(a));
  start.files = {{a, b}, {b, a}};
  const ChildProcess child(start);
  EXPECT_EQ(endOf(child), "ended with status 0");
  EXPECT_EQ(readAll(first), "first\n");
  EXPECT_EQ(readAll(second), "second\n");
}

TEST(ChildProcess, StandardStreamsMayBeLeftOut) {
  Pipe pipe;
  ChildStart start = shell("readlink /proc/self/fd/0 /proc/self/fd/2; echo lost >&2");
  start.files = {{pipe.writing.number(), 1}};
  start.standardStreams = false;
  const ChildProcess child(start);
  EXPECT_EQ(readAll(pipe), "/dev/null\n/dev/null\n");
  EXPECT_EQ(endOf(child), "ended with status 0");
}

TEST(ChildProcess, TheEnvironmentIsThisProcesssOrTheGivenOne) {
  setenv("HALOSCOPE_TEST", "here", 1);
  for (const bool own : {true, false}) {
    Pipe pipe;
    ChildStart start = shell("echo $HALOSCOPE_TEST,$GIVEN");
    start.files = {{pipe.writing.number(), 1}};
    if (!own) { start.environment = {"GIVEN=there"}; }
    const ChildProcess child(start);
    EXPECT_EQ(readAll(pipe), own ? "here,\n" : ",there\n");
  }
  unsetenv("HALOSCOPE_TEST");
}

TEST(ChildProcess, AProgramThatCannotBeStartedIsNamed) {
  try {
    const ChildProcess child(ChildStart{.program = "/nowhere/haloscope"});
    FAIL();
  } catch (const std::system_error& refused) {
    EXPECT_EQ(std::string(refused.what()), "/nowhere/haloscope: No such file or directory");
    EXPECT_EQ(refused.code().value(), ENOENT);
  }
  EXPECT_THROW(ChildProcess(ChildStart{.program = "/bin/sh", .files = {{12345, 3}}}), std::system_error);
}

TEST(SharedMemory, IsSharedAndKeepsItsSize) {
  SharedMemory memory(5);
  std::memcpy(memory.bytes().data(), "12345", 5);
  ChildStart start = shell("cat <&3; printf abcde 1<>/proc/self/fd/3; truncate -s 1 /proc/self/fd/3 2>/dev/null");
  Pipe pipe;
  start.files = {{memory.file(), 3}, {pipe.writing.number(), 1}};
  const ChildProcess child(start);
  EXPECT_EQ(endOf(child), "ended with status 1");  // of truncate
  EXPECT_EQ(readAll(pipe), "12345");
  EXPECT_EQ(std::memcmp(memory.bytes().data(), "abcde", 5), 0);
  EXPECT_EQ(SharedMemory::of(memory.file()).bytes().size(), 5U);
}

}  // namespace
}  // namespace haloscope::process
