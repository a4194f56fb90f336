#pragma once

#include <optional>
#include <string>

/// The role of a parameter, a constant or an array, as far as its name tells.
namespace haloscope::opening {

/// In lower case.
[[nodiscard]] std::string lower(std::string name);
/// The name of a field: "nx" for "grid.nx"; otherwise the name itself.
[[nodiscard]] std::string lastName(const std::string& parameter);

/// The axis of a size: 0 x, 1 y, 2 z; 3: all of them. Nullopt if it is not a size of the grid.
[[nodiscard]] std::optional<int> axisOf(const std::string& parameter);
/// Whether a parameter is the number of values per pixel.
[[nodiscard]] bool isChannels(const std::string& parameter);
[[nodiscard]] bool isRadius(const std::string& parameter);
[[nodiscard]] bool isFilterWidth(const std::string& parameter);
/// Whether an array holds weights.
[[nodiscard]] bool isFilter(const std::string& array);

}  // namespace haloscope::opening
