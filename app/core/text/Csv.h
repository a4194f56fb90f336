#pragma once

#include <string>
#include <string_view>

namespace haloscope {

/// A text as a field of a table with commas (RFC 4180): quoted where it must be. One that a spreadsheet would take for
/// a formula begins with an apostrophe; what cannot be shown becomes visible as \x1b. Numbers need none of it.
[[nodiscard]] std::string csvField(std::string_view text);

}  // namespace haloscope
