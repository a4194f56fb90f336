#include "actions/Walking.h"

#include <algorithm>

#include "actions/Comparing.h"

namespace haloscope {

namespace {

/// Moves the cursor with `one`, or variants side by side with `all`.
template <typename MoveCursor, typename MoveAll>
void walk(AppState& state, MoveCursor one, MoveAll all) {
  if (state.cursor.empty()) { return; }
  state.playback.playing = false;
  state.playback.carry = 0;
  if (state.comparison.follows(state.experiment)) {
    all(state.comparison.time);
    followTime(state);
  } else {
    one(state.cursor);
  }
}

/// Planes belong to one variant: the variant in focus walks alone.
template <typename MoveCursor>
void walkAlone(AppState& state, MoveCursor one) {
  if (state.cursor.empty()) { return; }
  state.playback.playing = false;
  state.playback.carry = 0;
  one(state.cursor);
}

}  // namespace

void stepForward(AppState& state) {
  walk(state, [](auto& cursor) { cursor.step(1); }, [&](auto& time) { time.stepTrack(state.comparison.focus, 1); });
}

void stepBack(AppState& state) {
  walk(state, [](auto& cursor) { cursor.step(-1); }, [&](auto& time) { time.stepTrack(state.comparison.focus, -1); });
}

void goToNextInterval(AppState& state) {
  walk(state, [](auto& cursor) { cursor.nextInterval(); }, [](auto& time) { time.nextSection(); });
}

void goToPreviousInterval(AppState& state) {
  walk(state, [](auto& cursor) { cursor.previousInterval(); }, [](auto& time) { time.previousSection(); });
}

void goToNextPlane(AppState& state) {
  walkAlone(state, [](auto& cursor) { cursor.nextPlane(); });
}

void goToPreviousPlane(AppState& state) {
  walkAlone(state, [](auto& cursor) { cursor.previousPlane(); });
}

void goToStart(AppState& state) {
  const auto start = [](auto& walker) { walker.goTo(0); };
  walk(state, start, start);
}

void goToEnd(AppState& state) {
  const auto end = [](auto& walker) { walker.goTo(walker.end()); };
  walk(state, end, end);
}

void playOrPause(AppState& state) {
  state.playback.playing = !state.playback.playing;
  state.playback.carry = 0;
  if (!state.playback.playing || state.cursor.empty()) { return; }
  const recording::Lockstep& time = state.comparison.time;
  if (state.comparison.follows(state.experiment)) {
    if (time.position() == time.end()) { goToTick(state, 0); }
    state.playback.playing = true;
  } else if (state.cursor.position() == state.cursor.end()) {
    state.cursor.goTo(0);
  }
}

void playFaster(AppState& state) { state.playback.speed = std::min(state.playback.speed * 2, kFastest); }

void playSlower(AppState& state) { state.playback.speed = std::max(state.playback.speed / 2, kSlowest); }

}  // namespace haloscope
