#pragma once

#include <filesystem>
#include <memory>

#include "exporting/Movie.h"

namespace haloscope::exporting {

/// A GIF that plays again and again. Each picture after the first holds the pixels that changed alone, in colours of
/// its own: exact where they are few enough.
[[nodiscard]] std::unique_ptr<Movie> beginGif(const std::filesystem::path& path, double picturesPerSecond);

}  // namespace haloscope::exporting
