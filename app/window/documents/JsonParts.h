#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

/// Parts of JSON from a file that may hold anything.
namespace haloscope {

inline bool flagIn(const nlohmann::json& object, const char* name, bool otherwise = false) {
  const auto found = object.is_object() ? object.find(name) : object.end();
  return found != object.end() && found->is_boolean() ? found->get<bool>() : otherwise;
}

/// A flag that was never set is left out, so that another program's stays.
inline void setFlag(nlohmann::json& object, const char* name, bool value) {
  if (value || object.contains(name)) { object[name] = value; }
}

inline std::string wordIn(const nlohmann::json& object, const char* name) {
  const auto found = object.is_object() ? object.find(name) : object.end();
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// Those entries of a list that are texts.
inline std::vector<std::string> wordsIn(const nlohmann::json& object, const char* name) {
  std::vector<std::string> words;
  const auto found = object.is_object() ? object.find(name) : object.end();
  if (found == object.end() || !found->is_array()) { return words; }
  for (const nlohmann::json& one : *found) {
    if (one.is_string()) { words.push_back(one.get<std::string>()); }
  }
  return words;
}

}  // namespace haloscope
