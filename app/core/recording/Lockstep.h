#pragma once

#include <cstddef>
#include <vector>

#include "recording/Recording.h"

namespace haloscope::recording {

/// Recordings of different kernels on one axis of time, each of them a track. A track's steps are cut into sections,
/// its barrier intervals for one; section k of a track is aligned with section k of all others. A section lasts as many
/// ticks as the longest of them has steps, and the steps of the others are spread evenly over it: all begin it with
/// their first step and end it with their last. A track that has fewer sections is at its end during the later ones.
/// Tick 0 is before the first step of every track.
class Lockstep {
 public:
  /// Ranges of steps without gaps, from step 0 on; some may be empty.
  using Sections = std::vector<Interval>;

  /// Which section a track is in.
  struct Place {
    std::size_t section = 0;  ///< counted from 0; of a finished track its last one
    std::size_t count = 0;    ///< sections of the track
    bool finished = false;    ///< it has fewer sections than the time has gone through, or none is left of any
    bool operator==(const Place&) const = default;
  };

  Lockstep() = default;
  explicit Lockstep(std::vector<Sections> tracks);

  [[nodiscard]] std::size_t trackCount() const { return tracks_.size(); }
  [[nodiscard]] bool empty() const { return end() == 0; }
  [[nodiscard]] std::size_t position() const { return tick_; }  ///< the current tick
  [[nodiscard]] std::size_t end() const { return starts_.empty() ? 0 : starts_.back(); }
  void goTo(std::size_t tick);  ///< clamped to [0, end()]
  void step(std::ptrdiff_t by);

  /// Where a track's cursor belongs now.
  [[nodiscard]] std::size_t positionOf(std::size_t track) const { return positionAt(track, tick_); }
  [[nodiscard]] std::size_t positionAt(std::size_t track, std::size_t tick) const;
  [[nodiscard]] Place placeOf(std::size_t track) const;
  [[nodiscard]] const Sections& sections(std::size_t track) const { return tracks_[track]; }
  /// Ticks before a section's first one; of sectionCount(): of all.
  [[nodiscard]] std::size_t startOf(std::size_t section) const { return starts_[section]; }
  [[nodiscard]] std::size_t section() const { return sectionAt(tick_); }
  [[nodiscard]] std::size_t sectionCount() const { return starts_.empty() ? 0 : starts_.size() - 1; }

  /// To the first tick at which a track is at that step; does nothing if the track is there already.
  void goToStep(std::size_t track, std::size_t position);
  /// One step of a track forward or back; the others follow. One tick if the track has finished before them.
  void stepTrack(std::size_t track, int direction);
  /// To the first tick of the next section, or to the end. Previous goes to the start of the current one first.
  void nextSection();
  void previousSection();

 private:
  [[nodiscard]] std::size_t sectionAt(std::size_t tick) const;
  [[nodiscard]] std::size_t endOf(std::size_t track) const;
  [[nodiscard]] std::size_t firstTickAt(std::size_t track, std::size_t position) const;

  std::vector<Sections> tracks_;
  std::vector<std::size_t> starts_;  ///< the tick before each section's first one; then the end
  std::size_t tick_ = 0;
};

}  // namespace haloscope::recording
