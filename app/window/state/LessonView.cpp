#include "state/LessonView.h"

#include <algorithm>
#include <utility>

#include "recording/Pace.h"
#include "state/Player.h"

namespace haloscope {

namespace {

// Seconds: it is played fast enough to last no longer.
constexpr double kLongest = 12;

}  // namespace

StepsPlayer::StepsPlayer(std::shared_ptr<const experiment::Experiment> of, std::size_t first, std::size_t last)
    : experiment(std::move(of)), cursor(experiment->recording), from(first), to(last) {
  double seconds = 0;
  for (std::size_t step = from; step < to; ++step) { seconds += recording::secondsOf(*experiment->recording, step); }
  playback.speed = std::max(1.0, seconds / kLongest);
  cursor.goTo(from);
  look();
}

void StepsPlayer::look() {
  view = recording::viewBlock(cursor, experiment->footprint, experiment->carriers);
  viewed = cursor.position();
}

void StepsPlayer::goTo(std::size_t position) {
  cursor.goTo(std::clamp(position, from, to));
  if (cursor.position() != viewed) { look(); }
}

void StepsPlayer::playOrPause() {
  if (!playback.playing && cursor.position() >= to) { goTo(from); }
  playback.playing = !playback.playing;
  playback.carry = 0;
}

void StepsPlayer::walk(double seconds) {
  if (!playback.playing || !play(playback, cursor, seconds)) { return; }
  if (cursor.position() >= to) { playback.playing = false; }
  goTo(cursor.position());
}

}  // namespace haloscope
