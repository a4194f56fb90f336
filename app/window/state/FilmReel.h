#pragma once

#include <cstdint>
#include <memory>

#include "recording/Film.h"

namespace haloscope {

/// Which film is on screen.
class FilmReel {
 public:
  /// Counts the films that were shown: it has changed when `film`, which must not be null, is another one.
  [[nodiscard]] std::uint64_t revisionOf(const std::shared_ptr<const recording::Film>& film);

 private:
  // By ownership, not by address: another film may come to lie where one was. Nothing is kept alive.
  std::weak_ptr<const recording::Film> film_;
  std::uint64_t revision_ = 0;
};

}  // namespace haloscope
