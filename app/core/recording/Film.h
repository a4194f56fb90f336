#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "recording/BlockView.h"
#include "recording/Pace.h"
#include "recording/Recording.h"

namespace haloscope::recording {

/// Something that a barrier interval did to the block's values.
struct FilmEvent {
  enum class Kind : std::uint8_t {
    Load,    ///< `carrier` got values from global memory; kNone: input points were read that no carrier keeps
    Move,    ///< `carrier` got values of the carrier `from`
    Output,  ///< outputs were written
  };
  Kind kind = Kind::Load;
  std::uint32_t step = 0;  ///< the first of the interval that did it
  std::uint32_t carrier = kNone;
  std::uint32_t from = kNone;
  bool operator==(const FilmEvent&) const = default;
};

/// A barrier interval as a frame of the film. One without a step takes no time.
struct FilmFrame {
  std::uint32_t firstStep = 0, endStep = 0;
  std::uint32_t firstEvent = 0, eventCount = 0;
  Activity longest = Activity::Control;  ///< what takes most of its time
};

/// A recording as it is played: a frame per barrier interval, when it is shown, and what it did. Everything is found
/// once, in time proportional to the recording's changes, so that a frame can be drawn without looking at its steps.
class Film {
 public:
  /// Planes of the outputs share layers where there are more of them.
  static constexpr std::size_t kMostLayers = 8;

  Film() = default;
  /// `footprint` and `carriers`: of this recording.
  Film(const Recording& recording, const Footprint& footprint, const std::vector<Carrier>& carriers);

  [[nodiscard]] const FilmClock& clock() const { return clock_; }
  /// One per barrier interval, by its number.
  [[nodiscard]] const std::vector<FilmFrame>& frames() const { return frames_; }
  /// Each kind of event once for each carrier (and source), in the order in which they were first seen.
  [[nodiscard]] std::span<const FilmEvent> eventsOf(const FilmFrame& frame) const {
    return std::span(events_).subspan(frame.firstEvent, frame.eventCount);
  }

  /// Of the block's outputs: one per plane (z), the lowest first; 1 for outputs in a plane, 0 without outputs.
  [[nodiscard]] std::size_t layers() const { return writes_.size(); }
  /// Share of a layer's outputs that the steps before `endStep` have written, 0…1.
  [[nodiscard]] double written(std::size_t layer, std::size_t endStep) const;

 private:
  FilmClock clock_;
  std::vector<FilmFrame> frames_;
  std::vector<FilmEvent> events_;
  std::vector<std::vector<std::uint32_t>> writes_;  ///< per layer: the step that writes each output first, ascending
};

}  // namespace haloscope::recording
