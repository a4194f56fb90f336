#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "recording/OutputWrites.h"

namespace haloscope::recording {
namespace {

constexpr ObjectId kOut = 1;

/// A block of four threads; each step writes one element.
Recording recordingOf(const std::vector<Change>& writes) {
  Recording recording;
  recording.configuration.block = {4, 1, 1};
  for (const Change& write : writes) {
    Step step;
    step.firstChange = static_cast<std::uint32_t>(recording.changes.size());
    step.changeCount = 1;
    recording.steps.push_back(step);
    recording.changes.push_back(write);
  }
  return recording;
}

Change write(std::uint32_t thread, std::int64_t element, Change::Kind kind = Change::Kind::Global, ObjectId id = kOut) {
  Change change;
  change.kind = kind;
  change.id = id;
  change.thread = thread;
  change.index = element;
  return change;
}

TEST(RecordingOutputWritesTest, AThreadsOutputIsTheLastOneWrittenOrElseTheFirstToCome) {
  const OutputWrites writes(recordingOf({write(2, 5, Change::Kind::Shared), write(1, 30), write(2, 7), write(2, 9)}),
                            kOut);
  EXPECT_EQ(writes.of(2, 0), 7) << "before any step: the first one";
  EXPECT_EQ(writes.of(2, 2), 7) << "step 2 has not been executed at position 2";
  EXPECT_EQ(writes.of(2, 3), 7);
  EXPECT_EQ(writes.of(2, 4), 9);
  EXPECT_EQ(writes.of(1, 4), 30);
  EXPECT_EQ(writes.of(0, 4), std::nullopt) << "writes nothing";
  EXPECT_EQ(writes.of(4, 4), std::nullopt) << "there is no such thread";
}

TEST(RecordingOutputWritesTest, AnElementsWriterIsTheLastOne) {
  const OutputWrites writes(
      recordingOf({write(1, 30), write(3, 30), write(2, 7), write(0, 7, Change::Kind::Global, 0)}), kOut);
  EXPECT_EQ(writes.writer(30), 3U);
  EXPECT_EQ(writes.writer(7), 2U) << "another array does not count";
  EXPECT_EQ(writes.writer(5), std::nullopt);
  EXPECT_EQ(OutputWrites().writer(5), std::nullopt);
  EXPECT_EQ(OutputWrites().of(0, 0), std::nullopt);
}

}  // namespace
}  // namespace haloscope::recording
