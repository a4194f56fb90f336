#pragma once

#include <cstddef>

#include "recording/Cursor.h"
#include "recording/Lockstep.h"
#include "recording/Recording.h"
#include "state/Playback.h"

/// Moves the cursor as time passes, and keeps its place when the recording under it is replaced.
namespace haloscope {

/// Seconds that the last step stays on screen before playing restarts.
inline constexpr double kPauseAtEnd = 1.5;

/// A tick of variants' common time, at speed 1.
inline constexpr double kSecondsOfTick = 0.125;

/// Takes the steps that are due after `seconds` more, each once the one before it was shown for as long as it takes.
/// True if the cursor moved. At the end it rests for kPauseAtEnd, then goes back to the start.
bool play(Playback& playback, recording::Cursor& cursor, double seconds);
/// As above, of variants side by side: tick by tick of their common time.
bool play(Playback& playback, recording::Lockstep& time, double seconds);

/// Seconds until play() will move the cursor.
[[nodiscard]] double secondsToNextStep(const Playback& playback, const recording::Cursor& cursor);
[[nodiscard]] double secondsToNextStep(const Playback& playback, const recording::Lockstep& time);

/// A position at which there is something to see: the first access after the first barrier, or the first access at all.
[[nodiscard]] std::size_t tellingPosition(const recording::Recording& recording);

/// The position of `to` that corresponds to that of `from`: the same statement in the same barrier interval, or
/// the start of that interval. For two recordings of the same kernel; the tile and the grid may differ.
[[nodiscard]] std::size_t correspondingPosition(const recording::Cursor& from, const recording::Recording& to);

}  // namespace haloscope
