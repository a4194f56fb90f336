#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

/// Messages between processes: JSON values in the Concise Binary Object Representation (RFC 8949).
namespace haloscope {

[[nodiscard]] std::vector<std::byte> toCbor(const nlohmann::json& value);

/// The value of a message that may be damaged or forged. Throws InputError, which begins with `what`, if the bytes are
/// not exactly one value, if a length is missing, or if it nests deeper or has more values than any message of this
/// program.
[[nodiscard]] nlohmann::json fromCbor(std::span<const std::byte> bytes, const std::string& what);

}  // namespace haloscope
