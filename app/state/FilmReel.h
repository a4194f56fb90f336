#pragma once

#include <cstdint>
#include <memory>

#include "experiment/Experiment.h"
#include "recording/Film.h"
#include "recording/Recording.h"

namespace haloscope {

/// Keeps the film of what is on screen between frames: it is cut again only for another recording, or for another
/// experiment, which has carriers of its own.
class FilmReel {
 public:
  /// Neither may be null. Valid until the next call.
  [[nodiscard]] const recording::Film& of(const std::shared_ptr<const recording::Recording>& recording,
                                          const std::shared_ptr<const experiment::Experiment>& experiment);
  /// Counts the recordings that were asked for: it has changed when there is another one.
  [[nodiscard]] std::uint64_t revision() const { return revision_; }

 private:
  // By ownership, not by address: another recording may come to lie where one was. Nothing is kept alive.
  std::weak_ptr<const recording::Recording> recording_;
  std::weak_ptr<const experiment::Experiment> experiment_;
  recording::Film film_;
  std::uint64_t revision_ = 0;
};

}  // namespace haloscope
