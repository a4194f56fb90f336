#pragma once

#include <memory>

#include "exporting/Movie.h"

namespace haloscope::exporting {

/// An MP4 or WebM, encoded by ffmpeg in a process of its own. Throws InputError where it is not installed.
[[nodiscard]] std::unique_ptr<Movie> beginVideo(const ExportPlan& plan);

}  // namespace haloscope::exporting
