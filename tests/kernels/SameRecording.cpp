#include "SameRecording.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace haloscope::test {

using recording::Recording;

namespace {

bool isUnknown(const recording::Change& change) {
  return change.originAfter.kind == recording::Origin::Kind::Computed &&
         change.copiedFrom == recording::Change::CopiedFrom::None;
}

/// What a step did, as text for people.
struct AsText {
  std::string text;
  void add(const char* word, std::uint64_t number) { text += word + std::to_string(number); }
};

/// The same as the numbers alone, which are compared a hundred times as fast as they are written.
struct AsNumbers {
  std::vector<std::uint64_t> numbers;
  void add(const char* /*word*/, std::uint64_t number) { numbers.push_back(number); }
};

/// Leaves out the origins of changes for which `other` has none.
template <typename Form>
Form describe(const Recording& recording, std::size_t step, const Recording* other = nullptr) {
  const Program& program = *recording.program;
  const recording::Step& one = recording.steps[step];
  Form form;
  form.add("step ", step);
  form.add(" line ",
           one.statement == kNone ? 0 : static_cast<std::uint64_t>(program.statements[one.statement].range.line));
  form.add(" interval ", one.interval);
  for (std::uint32_t warp = 0; warp < recording.warpCount(); ++warp) {
    const recording::WarpState& state = recording.warpState(step, warp);
    form.add(" active ", state.active);
    form.add(" waiting ", state.waiting);
    form.add(" exited ", state.exited);
  }
  const auto accesses = recording.accessesOf(step);
  form.add(" accesses ", accesses.size());
  for (const recording::AccessGroup& group : accesses) {
    form.add(group.store ? "\n  store " : "\n  load ", group.store ? 1 : 0);
    form.add(" instruction ", group.instruction);
    form.add(" warp ", group.warp);
    form.add(" object ", group.object);
    form.add(" lanes ", group.lanes);
    for (int i = 0; i < std::popcount(group.lanes); ++i) {
      form.add(" ", static_cast<std::uint64_t>(recording.elements[group.first + i]));
      form.add("=", recording.values[group.first + i]);
    }
  }
  const auto changes = recording.changesOf(step);
  form.add("\n  changes ", changes.size());
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const recording::Change& change = changes[i];
    form.add("\n  change ", static_cast<std::uint64_t>(change.kind));
    form.add(" ", change.id);
    form.add("[", static_cast<std::uint64_t>(change.index));
    form.add("] = ", change.after);
    if (other != nullptr && i < other->changesOf(step).size() && isUnknown(other->changesOf(step)[i])) { continue; }
    form.add(" origin ", static_cast<std::uint64_t>(change.originAfter.kind));
    form.add(" ", static_cast<std::uint64_t>(change.originAfter.element));
    form.add(" copied ", static_cast<std::uint64_t>(change.copiedFrom));
    form.add(" ", change.copiedId);
  }
  return form;
}

/// The first line in which two descriptions differ.
std::string firstDifference(const std::string& emulator, const std::string& logged) {
  std::istringstream left(emulator), right(logged);
  std::string head, a, b;
  while (true) {
    const bool moreLeft = static_cast<bool>(std::getline(left, a)),
               moreRight = static_cast<bool>(std::getline(right, b));
    if (!moreLeft && !moreRight) { return ""; }
    if (head.empty()) { head = a; }
    if (!moreLeft || !moreRight || a != b) {
      return head + "\n emulator:" + (moreLeft ? a : "-") + "\n logged:  " + (moreRight ? b : "-");
    }
  }
}

}  // namespace

void expectSame(const Recording& emulator, const Recording& logged, Origins origins) {
  const Recording* lenient = origins == Origins::Known ? &logged : nullptr;
  EXPECT_EQ(logged.message, "");
  if (!logged.message.empty()) return;
  EXPECT_FALSE(logged.truncated);
  const std::size_t steps = std::min(emulator.steps.size(), logged.steps.size());
  for (std::size_t step = 0; step < steps; ++step) {
    if (describe<AsNumbers>(emulator, step, lenient).numbers != describe<AsNumbers>(logged, step, lenient).numbers) {
      FAIL() << firstDifference(describe<AsText>(emulator, step, lenient).text,
                                describe<AsText>(logged, step, lenient).text);
    }
    if (lenient != nullptr && std::ranges::any_of(logged.changesOf(step), isUnknown)) { continue; }
    ASSERT_EQ(emulator.activities[step], logged.activities[step]) << describe<AsText>(logged, step).text;
  }
  EXPECT_EQ(emulator.steps.size(), logged.steps.size());
}

}  // namespace haloscope::test
