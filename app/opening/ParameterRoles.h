#pragma once

#include <optional>
#include <string>

/// What a parameter, a constant or an array is, as far as its name says so.
namespace haloscope::opening {

/// In small letters.
[[nodiscard]] std::string lower(std::string name);
/// The name of a field: "nx" of "grid.nx"; of what is no field, the name itself.
[[nodiscard]] std::string lastName(const std::string& parameter);

/// The axis that a size is along: 0 x, 1 y, 2 z; 3: all of them. None: it is no size of the grid.
[[nodiscard]] std::optional<int> axisOf(const std::string& parameter);
/// How many values a point of a picture has.
[[nodiscard]] bool isChannels(const std::string& parameter);
[[nodiscard]] bool isRadius(const std::string& parameter);
[[nodiscard]] bool isFilterWidth(const std::string& parameter);
/// An array of weights.
[[nodiscard]] bool isFilter(const std::string& array);

}  // namespace haloscope::opening
