#include "measuring/Peers.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>

#include "program/SourceLocation.h"

/// Other people's programs beside a suite's variants: what they print, and what they leave behind.
namespace haloscope::measuring {
namespace {

/// A class that a peer solves, too.
LimitClass solvedAt(std::int64_t size, ValueType precision = ValueType::F32, std::int64_t steps = 1) {
  return {.name = "star", .climb = "7-point star", .problem = {{"N", size}}, .precision = precision, .steps = steps};
}

TEST(PeerTest, ItsCommandHasTheProblemsValues) {
  const Peer peer = peerOf("AN5D=./an5d {size} {steps} {precision} {N} {");
  EXPECT_EQ(peer.name, "AN5D");
  EXPECT_EQ(commandFor(peer, solvedAt(512, ValueType::F64, 4)), "./an5d 512 4 double 512 {");
  EXPECT_THROW(static_cast<void>(commandFor(peerOf("A=run {radius}"), solvedAt(8))), InputError);
  EXPECT_THROW(static_cast<void>(peerOf("no command")), InputError);
  EXPECT_THROW(static_cast<void>(peerOf("=command")), InputError);
}

TEST(PeerTest, ItsLastLineIsTheTimeAndNothingElse) {
  EXPECT_EQ(millisecondsIn("0.5"), 0.5);
  EXPECT_EQ(millisecondsIn(" 1e-3 ms\t"), 1e-3);
  for (const char* wrong :
       {"", "ms", "median 0.5 ms", "0.5 ms on GPU 0", "0", "-1", "inf", "nan", "0.5 s", "0x1p3", "1,5"}) {
    EXPECT_EQ(millisecondsIn(wrong), std::nullopt) << wrong;
  }
}

TEST(PeerTest, WhatItDoesWrongIsSaid) {
  SuiteClass measured{.limit = solvedAt(64)};
  measured.sweepBytes = 1e6;
  measured.copy.gbs = 100;
  const PeerTime good = timePeer({"good", "echo run 1 of 2; echo 0.5 ms; echo"}, measured);
  EXPECT_EQ(good.problem, "");
  EXPECT_NEAR(good.effectiveGBs, 2, 1e-9);
  EXPECT_NEAR(good.fraction, good.effectiveGBs / 100, 1e-12);
  EXPECT_EQ(timePeer({"bad", "echo broken >&2; exit 3"}, measured).problem, "it ended with status 3: broken");
  EXPECT_EQ(timePeer({"mute", "true"}, measured).problem,
            "the last line it printed is not a number of milliseconds: \"\"");
  EXPECT_EQ(timePeer({"chatty", "echo 0.5 ms on GPU 0"}, measured).problem,
            "the last line it printed is not a number of milliseconds: \"0.5 ms on GPU 0\"");
  EXPECT_EQ(timePeer({"slow", "sleep 20"}, measured, std::chrono::seconds(0)).problem, "it did not end within 0 s");
}

TEST(PeerTest, WhatItHasStartedIsEndedWithIt) {
  const std::filesystem::path late = std::filesystem::path(testing::TempDir()) / "haloscope-peer-late";
  std::filesystem::remove(late);
  const std::string script = "(sleep 2; touch " + late.string() + ") & ";
  SuiteClass measured{.limit = solvedAt(64)};
  EXPECT_EQ(timePeer({"slow", script + "wait"}, measured, std::chrono::seconds(1)).problem,
            "it did not end within 1 s");
  EXPECT_EQ(timePeer({"leaves one behind", script + "echo 0.5"}, measured).milliseconds, 0.5);
  std::this_thread::sleep_for(std::chrono::milliseconds(2500));
  EXPECT_FALSE(std::filesystem::exists(late));
}

TEST(PeerTest, WhatItPrintsIsNotKept) {
  SuiteClass measured{.limit = solvedAt(64)};
  EXPECT_EQ(timePeer({"prints", "head -c 100000000 /dev/zero; echo; echo 0.5"}, measured).milliseconds, 0.5);
  const PeerTime endless = timePeer({"prints without end", "yes"}, measured, std::chrono::seconds(1));
  EXPECT_EQ(endless.problem, "it did not end within 1 s");
}

}  // namespace
}  // namespace haloscope::measuring
