#pragma once

#include <cstdint>
#include <string>

/// Numbers as text for the user.
namespace haloscope {

/// "1,038".
[[nodiscard]] std::string grouped(std::uint64_t number);
/// "3,072 B"; "297 kB" from a hundred thousand on, then "13.7 MB", "1.37 GB" (powers of ten).
[[nodiscard]] std::string byteText(std::uint64_t bytes);

}  // namespace haloscope
