#include "exercises/Exercise.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "language/Text.h"
#include "program/Misspelling.h"
#include "program/SourceLocation.h"

namespace haloscope::exercises {

std::span<const Exercise> exercises() {
  static const std::vector<Exercise> kExercises = [] {
    std::vector<Exercise> all = arrayExercises();
    std::ranges::move(tileExercises(), std::back_inserter(all));
    std::ranges::move(stencilExercises(), std::back_inserter(all));
    return all;
  }();
  return kExercises;
}

const Exercise& exercise(std::string_view id) {
  const std::span<const Exercise> all = exercises();
  const auto found = std::ranges::find(all, id, &Exercise::id);
  if (found != all.end()) { return *found; }
  const auto near = std::ranges::min_element(all, {}, [&](const Exercise& one) { return editDistance(id, one.id); });
  throw InputError(trf("there is no exercise \"{}\"; did you mean {}? haloscope exercise lists them", id, near->id));
}

const Part& partOf(const Exercise& exercise, std::string_view id) {
  const auto found = std::ranges::find(exercise.parts, id, &Part::id);
  if (found != exercise.parts.end()) { return *found; }
  std::vector<std::string> known;
  for (const Part& part : exercise.parts) { known.emplace_back(part.id); }
  throw InputError(
      trf("exercise {} has no question \"{}\"; it has {}", exercise.id, id, fmt::format("{}", fmt::join(known, ", "))));
}

}  // namespace haloscope::exercises
