#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>

#include "exercises/Formulas.h"
#include "exercises/Worked.h"
#include "inputs/NumberTable.h"
#include "language/Text.h"
#include "program/SourceLocation.h"

/// The numbers of an exercise: typed, checked, drawn.
namespace haloscope::exercises {

namespace {

std::vector<double> listOf(const Field& field, const std::string& text) {
  std::vector<double> list;
  try {
    list = inputs::parseList(text).values;
    if (text.find('/') != std::string::npos) { throw InputError(trf("\"{}\" is not a number", text)); }  // rows
  } catch (const InputError& error) {
    throw InputError(trf("{}: {}; write numbers with commas between them: 1,3,5", field.name, error.message()));
  }
  const auto size = static_cast<std::int64_t>(list.size());
  if (size > field.maximum) {
    throw InputError(trf("{}: {} numbers are too many; at most {} are possible", field.name, size, field.maximum));
  }
  if (field.odd && size % 2 == 0) {
    throw InputError(
        trf("{}: {} numbers have no middle one; a filter needs an odd number of elements", field.name, size));
  }
  return list;
}

double wholeOf(const Field& field, const std::string& text) {
  const std::optional<double> number = inputs::numberOf(text);
  if (!number) { throw InputError(trf("{}: \"{}\" is not a number", field.name, text)); }
  if (*number != std::round(*number)) { throw InputError(trf("{}: {} is not an integer", field.name, text)); }
  if (*number < static_cast<double>(field.minimum) || *number > static_cast<double>(field.maximum)) {
    throw InputError(trf("{}: {} is not possible; it can be {} to {}", field.name, text, field.minimum, field.maximum));
  }
  if (field.odd && std::fmod(*number, 2) == 0) {
    throw InputError(
        trf("{}: {} is even; a filter with as many elements on each side of its centre is odd", field.name, text));
  }
  return *number;
}

}  // namespace

Typed beginning(const Exercise& exercise) {
  Typed typed;
  for (const Field& field : exercise.fields) { typed[field.name] = field.value; }
  return typed;
}

Values valuesOf(const Exercise& exercise, const Typed& typed) {
  Values values;
  for (const auto& [name, text] : typed) {
    const bool known = std::ranges::any_of(exercise.fields, [&](const Field& field) { return name == field.name; });
    if (!known) {
      std::vector<std::string> names;
      for (const Field& field : exercise.fields) { names.emplace_back(field.name); }
      throw InputError(trf("exercise {} has no number \"{}\"; it has {}", exercise.id, name,
                           fmt::format("{}", fmt::join(names, ", "))));
    }
  }
  for (const Field& field : exercise.fields) {
    const auto found = typed.find(field.name);
    const std::string text = found == typed.end() ? field.value : found->second;
    values[field.name] = field.list ? listOf(field, text) : std::vector{wholeOf(field, text)};
  }
  const Formulas formulas(values);
  for (const Condition& condition : exercise.conditions) {
    if (formulas.value(condition.holds) == 0) { throw InputError(tr(condition.otherwise)); }
  }
  return values;
}

Typed drawn(const Exercise& exercise, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  // Not std::uniform_int_distribution: its numbers differ between libraries.
  const auto draw = [&](std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(high - low + 1));
  };
  constexpr int kTries = 1000;
  constexpr std::int64_t kLargestDigit = 9;
  for (int attempt = 0; attempt < kTries; ++attempt) {
    Typed typed;
    for (const Field& field : exercise.fields) {
      std::int64_t number = draw(field.drawnLow, field.drawnHigh);
      if (field.odd && number % 2 == 0) { number += number < field.drawnHigh ? 1 : -1; }
      if (!field.list) {
        typed[field.name] = std::to_string(number);
        continue;
      }
      std::string list;
      for (std::int64_t i = 0; i < number; ++i) {
        list += (i == 0 ? "" : ",") + std::to_string(draw(field.odd ? 1 : 0, kLargestDigit));
      }
      typed[field.name] = list;
    }
    try {
      (void)valuesOf(exercise, typed);
      return typed;
    } catch (const InputError&) { continue; }  // these do not go together: others
  }
  return beginning(exercise);
}

}  // namespace haloscope::exercises
