#include "state/Player.h"

#include <algorithm>
#include <limits>

#include "recording/Pace.h"

namespace haloscope {

namespace {

/// How long the position is shown, at speed 1.
double secondsAt(const recording::Cursor& cursor) {
  return cursor.atStart() ? recording::secondsOf(recording::Activity::Control)
                          : recording::secondsOf(cursor.recording(), cursor.currentStep());
}
double secondsAt(const recording::Lockstep&) { return kSecondsOfTick; }

/// Of anything that has positions.
template <typename Walker>
bool playThrough(Playback& playback, Walker& cursor, double seconds) {
  if (!playback.playing || cursor.empty() || cursor.end() == 0) { return false; }
  playback.carry += seconds * playback.speed;
  if (cursor.position() == cursor.end()) {
    if (playback.carry < 0) { return false; }
    playback.carry = 0;
    cursor.goTo(0);
    return true;
  }
  playback.carry = std::max(playback.carry, 0.0);  // the user left the end before its pause was over
  bool moved = false;
  while (cursor.position() != cursor.end()) {
    const double due = secondsAt(cursor);
    if (playback.carry < due) { return moved; }
    playback.carry -= due;
    cursor.step(1);
    moved = true;
  }
  playback.carry = -std::max(kPauseAtEnd * playback.speed, secondsAt(cursor));  // its movement plays to its end
  return moved;
}

template <typename Walker>
double secondsLeft(const Playback& playback, const Walker& cursor) {
  if (cursor.empty() || cursor.end() == 0) { return std::numeric_limits<double>::infinity(); }
  if (playback.carry < 0) { return -playback.carry / playback.speed; }
  return std::max(0.0, secondsAt(cursor) - playback.carry) / playback.speed;
}

}  // namespace

bool play(Playback& playback, recording::Cursor& cursor, double seconds) {
  return playThrough(playback, cursor, seconds);
}

bool play(Playback& playback, recording::Lockstep& time, double seconds) {
  return playThrough(playback, time, seconds);
}

double secondsToNextStep(const Playback& playback, const recording::Cursor& cursor) {
  return secondsLeft(playback, cursor);
}

double secondsToNextStep(const Playback& playback, const recording::Lockstep& time) {
  return secondsLeft(playback, time);
}

std::size_t correspondingPosition(const recording::Cursor& from, const recording::Recording& to) {
  const recording::Step* current = from.empty() ? nullptr : from.current();
  if (current == nullptr || to.intervals.empty()) { return 0; }
  if (from.position() == from.end()) { return to.steps.size(); }
  const std::size_t last = to.intervals.size() - 1;
  const recording::Interval& interval = to.intervals[std::min<std::size_t>(current->interval, last)];
  const SourceRange& range = from.recording().program->statements[current->statement].range;
  for (std::uint32_t step = interval.firstStep; step < interval.endStep; ++step) {
    // The same text, lowered again: its statements are identified by position.
    if (to.program->statements[to.steps[step].statement].range == range) { return step + 1; }
  }
  return interval.firstStep + 1;
}

std::size_t tellingPosition(const recording::Recording& recording) {
  const auto& steps = recording.steps;
  const std::size_t begin = recording.intervals.size() > 1 ? recording.intervals[1].firstStep : 0;
  for (std::size_t i = begin; i < steps.size(); ++i) {
    if (steps[i].accessCount > 0) { return i + 1; }
  }
  return 0;
}

}  // namespace haloscope
