#pragma once

#include <filesystem>

namespace haloscope {

/// $XDG_CACHE_HOME/haloscope, or ~/.cache/haloscope, for data that can be recreated. Empty if neither is set. It need
/// not exist.
[[nodiscard]] std::filesystem::path cacheFolder();

}  // namespace haloscope
