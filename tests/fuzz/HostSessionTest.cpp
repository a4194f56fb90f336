#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "HostSession.h"
#include "SessionMutator.h"
#include "running/ProgramFiles.h"

// What the fuzzer of a host's messages does, without its coverage: sessions of real programs, and changes of them.

namespace haloscope::fuzz {
namespace {

namespace fs = std::filesystem;

struct Recorded {
  std::string name;
  HostSession session;
  running::ProgramRun run;
};

/// Of programs whose sessions are short, and together have most of the messages.
std::vector<Recorded> recordedSessions() {
  std::vector<Recorded> all;
  for (const char* name : {"constants_initialised.cu", "freed_twice.cu", "memory_managed.cu", "device_queries.cu",
                           "cpu_blur_of_bytes.cu", "exception_uncaught.cu"}) {
    Recorded one{.name = name, .session = {}, .run = {}};
    const fs::path path = fs::path(HALOSCOPE_SOURCE_DIR) / "tests" / "programs" / name;
    one.session = recordedSession(running::readProgram(path).program, HALOSCOPE_BINARY, &one.run);
    all.push_back(std::move(one));
  }
  return all;
}

TEST(HostSessions, AreReplayedWithoutTheirProcess) {
  ASSERT_TRUE(fs::exists(HALOSCOPE_BINARY)) << "the haloscope program executes the host's half: build it first";
  const std::vector<Recorded> all = recordedSessions();
  std::size_t launches = 0;
  for (const Recorded& one : all) {
    SCOPED_TRACE(one.name);
    const running::ProgramRun run = replay(bytesOf(one.session));
    EXPECT_EQ(run.end, one.run.end) << run.message;
    EXPECT_EQ(run.status, one.run.status);
    EXPECT_EQ(run.output, one.run.output);
    EXPECT_EQ(run.events.size(), one.run.events.size());
    ASSERT_EQ(run.launches.size(), one.run.launches.size());
    EXPECT_EQ(run.findings.size(), one.run.findings.size());
    launches += run.launches.size();
  }
  EXPECT_GT(launches, 3U);

  // Changed ones may end in any way, but never by an exception.
  constexpr unsigned kSeeds = 60;
  std::size_t ended = 0;
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const HostSession& of = all[seed % all.size()].session;
    HostSession session = mutatedSession(of, seed);
    if (seed % 5 == 0) { session = joinedSessions(std::move(session), all[seed / 5 % all.size()].session, seed); }
    EXPECT_NO_THROW(ended += replay(bytesOf(session)).end == running::ProgramEnd::Failed ? 1 : 0);
  }
  EXPECT_GT(ended, 0U) << "some are forged beyond use";
}

TEST(HostSessions, OfTheSameSeedAreTheSame) {
  HostSession session{.task = {.message = std::vector<std::byte>(3), .payload = {}}, .packets = {}, .rest = {}};
  for (int i = 0; i < 4; ++i) {
    const auto value = static_cast<std::byte>(i);
    session.packets.push_back({.message = {value, value}, .payload = std::vector<std::byte>(9)});
  }
  const std::vector<std::byte> bytes = bytesOf(session);
  EXPECT_EQ(bytesOf(sessionOf(bytes)), bytes);
  bool differs = false;
  for (unsigned seed = 0; seed < 100; ++seed) {
    const std::vector<std::byte> changed = bytesOf(mutatedSession(session, seed));
    EXPECT_EQ(bytesOf(mutatedSession(session, seed)), changed);
    EXPECT_EQ(bytesOf(sessionOf(changed)), changed);
    differs = differs || changed != bytes;
    EXPECT_NO_THROW(static_cast<void>(mutatedSession({}, seed)));
  }
  EXPECT_TRUE(differs);
  EXPECT_EQ(replay(bytes).end, running::ProgramEnd::Failed) << "its task is unreadable";
}

}  // namespace
}  // namespace haloscope::fuzz
