#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "experiment/Experiment.h"

namespace haloscope::handout {

/// Values that steps write, and lanes' loads, that a page may hold: a phone has the memory for them.
inline constexpr std::size_t kMostEvents = 1'500'000;

/// A recording for the script of a page.
struct RecordingData {
  std::string bytes;      ///< see Columns
  std::size_t steps = 0;  ///< that it has
  std::size_t all = 0;    ///< steps of the recording; more than `steps` if all would be too many
};

/// The recorded block of an experiment: the state before the first step and what each step changes and reads, values as
/// their bits; of each carrier's cells the roles as recording::viewBlock gives them. `faulty`: elements of the output
/// that faults reach. Throws InputError if the first step alone has more than `most` events.
[[nodiscard]] RecordingData recordingData(const experiment::Experiment& experiment,
                                          const std::vector<std::int64_t>& faulty, std::size_t most = kMostEvents);

}  // namespace haloscope::handout
