#include "recording/Lockstep.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace haloscope::recording {

namespace {

std::size_t lengthOf(const Interval& section) { return section.endStep - section.firstStep; }

}  // namespace

Lockstep::Lockstep(std::vector<Sections> tracks) : tracks_(std::move(tracks)) {
  std::size_t sections = 0;
  for (const Sections& track : tracks_) { sections = std::max(sections, track.size()); }
  starts_.push_back(0);
  for (std::size_t k = 0; k < sections; ++k) {
    std::size_t ticks = 0;
    for (const Sections& track : tracks_) {
      if (k < track.size()) { ticks = std::max(ticks, lengthOf(track[k])); }
    }
    starts_.push_back(starts_.back() + ticks);
  }
}

void Lockstep::goTo(std::size_t tick) { tick_ = std::min(tick, end()); }

void Lockstep::step(std::ptrdiff_t by) {
  const auto left = static_cast<std::ptrdiff_t>(end() - tick_);
  const auto passed = static_cast<std::ptrdiff_t>(tick_);
  goTo(static_cast<std::size_t>(passed + std::clamp(by, -passed, left)));
}

Lockstep::Place Lockstep::placeOf(std::size_t track) const {
  const std::size_t count = tracks_[track].size();
  const std::size_t now = section();
  const bool finished = now >= count || tick_ == end();
  return {count == 0 ? 0 : std::min(now, count - 1), count, finished};
}

void Lockstep::goToStep(std::size_t track, std::size_t position) {
  if (positionOf(track) != position) { tick_ = firstTickAt(track, position); }
}

void Lockstep::stepTrack(std::size_t track, int direction) {
  const std::size_t position = positionOf(track);
  const bool beyond = tick_ > firstTickAt(track, endOf(track));
  if (direction > 0) {
    position < endOf(track) ? goTo(firstTickAt(track, position + 1)) : step(1);
  } else if (beyond) {
    step(-1);
  } else if (position > 0) {
    goTo(firstTickAt(track, position - 1));
  }
}

void Lockstep::nextSection() {
  const auto next = std::ranges::find_if(starts_, [&](std::size_t start) { return start + 1 > tick_; });
  goTo(next == starts_.end() ? end() : *next + 1);
}

void Lockstep::previousSection() {
  const auto previous =
      std::find_if(starts_.rbegin(), starts_.rend(), [&](std::size_t start) { return start + 1 < tick_; });
  goTo(previous == starts_.rend() ? 0 : *previous + 1);
}

std::size_t Lockstep::sectionAt(std::size_t tick) const {
  if (tick == 0 || sectionCount() == 0) { return 0; }
  // Of sections that take no time the last one begins with the first tick after them.
  const auto after = std::ranges::lower_bound(starts_, tick);
  return static_cast<std::size_t>(after - starts_.begin()) - 1;
}

std::size_t Lockstep::endOf(std::size_t track) const {
  return tracks_[track].empty() ? 0 : tracks_[track].back().endStep;
}

std::size_t Lockstep::positionAt(std::size_t track, std::size_t tick) const {
  if (tick == 0) { return 0; }
  const std::size_t k = sectionAt(tick);
  if (k >= tracks_[track].size()) { return endOf(track); }
  const Interval& section = tracks_[track][k];
  const std::size_t steps = lengthOf(section);
  if (steps == 0) { return section.firstStep; }
  const std::size_t last = starts_[k + 1] - starts_[k] - 1;  // counted from the section's first tick
  if (last == 0) { return section.firstStep + 1; }
  const std::size_t done = tick - starts_[k] - 1;
  return section.firstStep + 1 + (done * (steps - 1) + last / 2) / last;
}

std::size_t Lockstep::firstTickAt(std::size_t track, std::size_t position) const {
  std::size_t low = 0, high = end();
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (positionAt(track, middle) < position) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

}  // namespace haloscope::recording
