#include "state/FilmReel.h"

namespace haloscope {

std::uint64_t FilmReel::revisionOf(const std::shared_ptr<const recording::Film>& film) {
  if (film_.owner_before(film) || film.owner_before(film_)) {
    film_ = film;
    ++revision_;
  }
  return revision_;
}

}  // namespace haloscope
