#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace haloscope::measuring {

/// An object in a JSON file, with the words that name it in an error. Refers to its value, which must outlive it.
/// Throws InputError naming the place and the field.
class JsonEntry {
 public:
  /// Throws if the value is no object.
  JsonEntry(const nlohmann::json& value, std::string place);

  [[nodiscard]] const std::string& place() const { return place_; }
  /// A string that is not empty.
  [[nodiscard]] std::string text(const char* field) const;
  /// ... or empty, if the field is missing.
  [[nodiscard]] std::string textOrNone(const char* field) const;
  [[nodiscard]] double positive(const char* field) const;
  /// 0 if the field is missing.
  [[nodiscard]] double positiveOrNone(const char* field) const;
  /// Not below zero; nothing where the field is missing or null.
  [[nodiscard]] std::optional<double> number(const char* field) const;

 private:
  [[nodiscard]] const nlohmann::json& at(const char* field) const;

  const nlohmann::json& value_;
  std::string place_;
};

}  // namespace haloscope::measuring
