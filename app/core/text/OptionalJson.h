#pragma once

#include <nlohmann/json.hpp>
#include <optional>

// A value that may be missing, as JSON: null where it is. nlohmann's own namespace is where it looks for this.
namespace nlohmann {

template <typename T>
struct adl_serializer<std::optional<T>> {
  static void to_json(json& to, const std::optional<T>& from) { to = from ? json(*from) : json(nullptr); }
  static void from_json(const json& from, std::optional<T>& to) {
    to = from.is_null() ? std::nullopt : std::optional(from.get<T>());
  }
};

}  // namespace nlohmann
