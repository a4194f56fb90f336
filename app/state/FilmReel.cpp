#include "state/FilmReel.h"

namespace haloscope {

namespace {

template <typename T>
bool isSame(const std::weak_ptr<const T>& known, const std::shared_ptr<const T>& asked) {
  return !known.owner_before(asked) && !asked.owner_before(known);
}

}  // namespace

const recording::Film& FilmReel::of(const std::shared_ptr<const recording::Recording>& recording,
                                    const std::shared_ptr<const experiment::Experiment>& experiment) {
  const bool renewed = !isSame(recording_, recording);
  if (!renewed && isSame(experiment_, experiment)) { return film_; }
  film_ = recording::Film(*recording, experiment->footprint, experiment->carriers);
  recording_ = recording;
  experiment_ = experiment;
  if (renewed) { ++revision_; }
  return film_;
}

}  // namespace haloscope
