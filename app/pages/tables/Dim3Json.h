#pragma once

#include <nlohmann/json.hpp>

#include "program/Launch.h"

namespace haloscope {

/// [x, y, z]
[[nodiscard]] inline nlohmann::ordered_json toJson(const Dim3& place) {
  return nlohmann::ordered_json::array({place.x, place.y, place.z});
}

}  // namespace haloscope
