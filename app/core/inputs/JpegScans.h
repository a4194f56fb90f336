#pragma once

#include <string>
#include <string_view>

namespace haloscope::inputs {

/// Why a JPEG is not to be decoded: it has more scans than any picture needs, each of which takes a decoder through all
/// points again. Empty: it has not, or it is no JPEG.
[[nodiscard]] std::string excessOfJpeg(std::string_view bytes);

}  // namespace haloscope::inputs
