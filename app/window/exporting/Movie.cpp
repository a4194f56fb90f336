#include "exporting/Movie.h"

#include "exporting/GifMovie.h"
#include "exporting/VideoMovie.h"

namespace haloscope::exporting {

std::unique_ptr<Movie> beginMovie(const ExportPlan& plan) {
  if (plan.format == ExportFormat::Gif) { return beginGif(plan.output, plan.rate); }
  return beginVideo(plan);
}

}  // namespace haloscope::exporting
