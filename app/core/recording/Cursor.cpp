#include "recording/Cursor.h"

#include <algorithm>
#include <ranges>
#include <utility>

namespace haloscope::recording {

namespace {

/// Positions right after the first steps of parts that follow each other: intervals or planes.
template <typename Part>
std::size_t startOf(const Part& part) {
  return std::size_t{part.firstStep} + 1;
}

template <typename Part>
std::size_t nextStart(const std::vector<Part>& parts, std::size_t position, std::size_t end) {
  const auto next =
      std::find_if(parts.begin(), parts.end(), [&](const Part& part) { return startOf(part) > position; });
  return next == parts.end() ? end : startOf(*next);
}

template <typename Part>
std::size_t previousStart(const std::vector<Part>& parts, std::size_t position) {
  const auto previous =
      std::find_if(parts.rbegin(), parts.rend(), [&](const Part& part) { return startOf(part) < position; });
  return previous == parts.rend() ? 0 : startOf(*previous);
}

}  // namespace

Cursor::Cursor(std::shared_ptr<const Recording> recording)
    : recording_(std::move(recording)), state_(recording_ ? BlockState(*recording_) : BlockState()) {}

std::size_t Cursor::end() const { return empty() ? 0 : recording_->steps.size(); }

const Step* Cursor::current() const { return position_ == 0 ? nullptr : &recording_->steps[position_ - 1]; }

std::size_t Cursor::currentStep() const { return position_ == 0 ? std::size_t{kNone} : position_ - 1; }

void Cursor::goTo(std::size_t position) {
  const std::size_t target = std::min(position, end());
  for (; position_ < target; ++position_) {
    for (const Change& change : recording_->changesOf(position_)) {
      state_.apply(change, static_cast<std::uint32_t>(position_));
    }
  }
  for (; position_ > target; --position_) {
    for (const Change& change : recording_->changesOf(position_ - 1) | std::views::reverse) { state_.revert(change); }
  }
}

void Cursor::step(std::ptrdiff_t by) {
  const auto position = static_cast<std::ptrdiff_t>(position_);
  const auto last = static_cast<std::ptrdiff_t>(end());
  // Compared this way round, so that a huge `by` does not overflow.
  if (by >= last - position) {
    goTo(end());
  } else if (by <= -position) {
    goTo(0);
  } else {
    goTo(static_cast<std::size_t>(position + by));
  }
}

void Cursor::nextInterval() {
  if (!empty()) { goTo(nextStart(recording_->intervals, position_, end())); }
}

void Cursor::previousInterval() {
  if (!empty()) { goTo(previousStart(recording_->intervals, position_)); }
}

void Cursor::nextPlane() {
  if (empty()) { return; }
  if (recording_->planes.empty()) {
    nextInterval();
  } else {
    goTo(nextStart(recording_->planes, position_, end()));
  }
}

void Cursor::previousPlane() {
  if (empty()) { return; }
  if (recording_->planes.empty()) {
    previousInterval();
  } else {
    goTo(previousStart(recording_->planes, position_));
  }
}

void Cursor::goToInterval(std::size_t interval) {
  if (empty() || recording_->intervals.empty()) { return; }
  goTo(startOf(recording_->intervals[std::min(interval, recording_->intervals.size() - 1)]));
}

void Cursor::goToPlane(std::size_t plane) {
  if (empty() || recording_->planes.empty()) { return; }
  goTo(startOf(recording_->planes[std::min(plane, recording_->planes.size() - 1)]));
}

bool Cursor::goToLine(int line, bool forward) {
  const std::size_t count = end();
  const std::size_t here = position_ == 0 ? 0 : position_ - 1;
  for (std::size_t i = 1; i <= count; ++i) {
    // All steps, starting next to the current one and ending with it.
    const std::size_t place = forward ? (position_ + i - 1) % count : (here + 2 * count - i) % count;
    const StatementId id = recording_->steps[place].statement;
    if (id == kNone) { continue; }
    const SourceRange& range = recording_->program->statements[id].range;
    if (range.line <= line && line <= range.endLine) {
      goTo(place + 1);
      return true;
    }
  }
  return false;
}

}  // namespace haloscope::recording
