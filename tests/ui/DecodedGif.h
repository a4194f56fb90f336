#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace haloscope::test {

struct DecodedGif {
  int width = 0, height = 0;
  std::vector<std::vector<std::uint32_t>> pictures;  ///< as they are shown, one over the other
  std::vector<int> delays;                           ///< hundredths of a second
};

/// Without pictures if it is none.
DecodedGif decode(const std::filesystem::path& path);

}  // namespace haloscope::test
