#include "SameRecording.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace haloscope::test {

using recording::Recording;

namespace {

bool isUnknown(const recording::Change& change) {
  return change.originAfter.kind == recording::Origin::Kind::Computed &&
         change.copiedFrom == recording::Change::CopiedFrom::None;
}

/// Removes the origins of changes for which `other` has none.
std::string describe(const Recording& recording, std::size_t step, const Recording* other = nullptr) {
  const Program& program = *recording.program;
  const recording::Step& one = recording.steps[step];
  std::string line = "step " + std::to_string(step) + " line " +
                     std::to_string(one.statement == kNone ? 0 : program.statements[one.statement].range.line) +
                     " interval " + std::to_string(one.interval);
  for (std::uint32_t warp = 0; warp < recording.warpCount(); ++warp) {
    const recording::WarpState& state = recording.warpState(step, warp);
    char text[64];
    std::snprintf(text, sizeof text, " [%x w%x e%x]", state.active, state.waiting, state.exited);
    line += text;
  }
  for (const recording::AccessGroup& group : recording.accessesOf(step)) {
    line += "\n  " + std::string(group.store ? "store" : "load") + " " + std::to_string(group.instruction) + " warp " +
            std::to_string(group.warp) + " object " + std::to_string(group.object) + " lanes " +
            std::to_string(group.lanes);
    for (int i = 0; i < std::popcount(group.lanes); ++i) {
      line += " " + std::to_string(recording.elements[group.first + i]) + "=" +
              std::to_string(recording.values[group.first + i]);
    }
  }
  const auto changes = recording.changesOf(step);
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const recording::Change& change = changes[i];
    line += "\n  change " + std::to_string(static_cast<int>(change.kind)) + " " + std::to_string(change.id) + "[" +
            std::to_string(change.index) + "] = " + std::to_string(change.after);
    if (other != nullptr && i < other->changesOf(step).size() && isUnknown(other->changesOf(step)[i])) { continue; }
    line += " origin " + std::to_string(static_cast<int>(change.originAfter.kind)) + " " +
            std::to_string(change.originAfter.element) + " copied " +
            std::to_string(static_cast<int>(change.copiedFrom)) + " " + std::to_string(change.copiedId);
  }
  return line;
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
    ASSERT_EQ(firstDifference(describe(emulator, step, lenient), describe(logged, step, lenient)), "");
    if (lenient != nullptr && std::ranges::any_of(logged.changesOf(step), isUnknown)) { continue; }
    ASSERT_EQ(emulator.activities[step], logged.activities[step]) << describe(logged, step);
  }
  EXPECT_EQ(emulator.steps.size(), logged.steps.size());
}

}  // namespace haloscope::test
