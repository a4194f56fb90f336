#pragma once

#include <string>
#include <string_view>

namespace haloscope::inputs {

/// Why these bytes are not a whole PNG: a part that is cut off, or whose checksum is wrong. Empty: they are one, or no
/// PNG at all. Decoders differ in whether they look; wrong grey values would go unnoticed.
[[nodiscard]] std::string damageOfPng(std::string_view bytes);

/// Why a whole PNG is not to be decoded: its compressed points become more bytes than its header says, so that a
/// decoder would make gigabytes of a small file, or they are damaged. Empty: neither, or it is no PNG.
[[nodiscard]] std::string excessOfPng(std::string_view bytes);

}  // namespace haloscope::inputs
