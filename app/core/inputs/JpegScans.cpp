#include "inputs/JpegScans.h"

#include <cstddef>

#include "language/Text.h"

namespace haloscope::inputs {

std::string excessOfJpeg(std::string_view bytes) {
  constexpr std::string_view kImage = "\xff\xd8", kScan = "\xff\xda";
  // A progressive picture of three components has ten or so.
  constexpr std::size_t kMostScans = 100;
  if (!bytes.starts_with(kImage)) { return {}; }
  std::size_t scans = 0;
  for (std::size_t at = bytes.find(kScan); at != std::string_view::npos; at = bytes.find(kScan, at + kScan.size())) {
    if (++scans > kMostScans) { return trf("it has more than {} scans", kMostScans); }
  }
  return {};
}

}  // namespace haloscope::inputs
