#include "measuring/JsonEntry.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "language/Text.h"
#include "program/SourceLocation.h"

namespace haloscope::measuring {

JsonEntry::JsonEntry(const nlohmann::json& value, std::string place) : value_(value), place_(std::move(place)) {
  if (!value_.is_object()) { throw InputError(trf("{}: must be an object", place_)); }
}

std::string JsonEntry::text(const char* field) const {
  const nlohmann::json& value = at(field);
  if (!value.is_string() || value.get_ref<const std::string&>().empty()) {
    throw InputError(trf("{}: '{}' must be a string", place_, field));
  }
  return value.get<std::string>();
}

std::string JsonEntry::textOrNone(const char* field) const { return value_.contains(field) ? text(field) : ""; }

double JsonEntry::positive(const char* field) const {
  const nlohmann::json& value = at(field);
  if (!value.is_number() || value.get<double>() <= 0) {
    throw InputError(trf("{}: '{}' must be a number above zero", place_, field));
  }
  return value.get<double>();
}

double JsonEntry::positiveOrNone(const char* field) const { return value_.contains(field) ? positive(field) : 0; }

std::optional<double> JsonEntry::number(const char* field) const {
  const auto found = value_.find(field);
  if (found == value_.end() || found->is_null()) { return {}; }
  if (!found->is_number() || found->get<double>() < 0) {
    throw InputError(trf("{}: '{}' must be a number, and not below zero", place_, field));
  }
  return found->get<double>();
}

const nlohmann::json& JsonEntry::at(const char* field) const {
  const auto found = value_.find(field);
  if (found == value_.end()) { throw InputError(trf("{}: '{}' is missing", place_, field)); }
  return *found;
}

}  // namespace haloscope::measuring
