#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "catalogue/Catalogue.h"
#include "exercises/Exercise.h"
#include "experiment/Experiment.h"
#include "language/Text.h"
#include "questions/CellSets.h"
#include "questions/Origin.h"

namespace haloscope::exercises {

/// What the fields say, by their names: one number, or a list.
using Values = std::map<std::string, std::vector<double>>;
/// The same as text, as it is typed.
using Typed = std::map<std::string, std::string>;

/// The numbers with which an exercise begins.
[[nodiscard]] Typed beginning(const Exercise& exercise);
/// Other numbers, sensible and small, which the seed determines.
[[nodiscard]] Typed drawn(const Exercise& exercise, std::uint64_t seed);
/// Reads all fields and checks the conditions. Throws InputError: one sentence that names the field.
[[nodiscard]] Values valuesOf(const Exercise& exercise, const Typed& typed);

/// A line of a derivation: "ghosts", "2 × r", "2 × 2", "4".
struct DerivedLine {
  std::string name, formula;
  std::string numbers;  ///< the formula with the numbers put in; empty: it has no names
  double value = 0;
  const char* why = "";  ///< English; may be empty
};

/// "ghosts = 2 × r = 2 × 2 = 4"
[[nodiscard]] std::string lineText(const DerivedLine& line);

/// Says of an answer about an interior block that it was found at another size.
inline constexpr const char* kLargerGrid = trMark("At this size a block has neighbours on all sides.");

/// An answered part.
struct Answered {
  const Part* part = nullptr;
  std::vector<DerivedLine> derivation;   ///< the last line is the answer by formula
  std::optional<double> found;           ///< what the part's query yields; empty: see Worked::notExecuted
  questions::Origins origins;            ///< of what was found
  std::string executedBy;                ///< "stencil/tiled, IN_TILE_DIM = 8, N = 20"; empty if nothing was found
  bool largerGrid = false;               ///< than the numbers ask for, which has no block in the interior
  std::vector<DerivedLine> conventions;  ///< other ways to count, where they give another answer

  [[nodiscard]] double derived() const { return derivation.back().value; }
  [[nodiscard]] double answer() const { return found.value_or(derived()); }
  /// Whether what was found and the formula agree; true if nothing was found.
  [[nodiscard]] bool agree() const;
  /// One sentence if they do not, else empty.
  [[nodiscard]] std::string disagreement() const;
};

/// An exercise with its numbers, executed and derived.
struct Worked {
  const Exercise* exercise = nullptr;
  Typed typed;
  const Executor* executor = nullptr;  ///< null: none executes these numbers
  experiment::Choice choice;           ///< what was executed
  std::string notExecuted;             ///< why there is the formula alone, one sentence
  std::vector<Answered> parts;
  std::optional<questions::CellSet> picture;
};

/// The kernels of the exercises themselves, in assets/exercises.
[[nodiscard]] Catalogue readKernels(const std::filesystem::path& assets);

/// Derives and executes all parts, or only one. Throws InputError as valuesOf(), and experiment::Cancelled when asked
/// to stop; a kernel that cannot execute the numbers is no error.
[[nodiscard]] Worked workOut(const Exercise& exercise, const Typed& typed, const Catalogue& variants,
                             const Catalogue& own, const Part* only = nullptr, const std::stop_token& stop = {});

/// "ceil(N / T) ^ 2" as "⌈N / T⌉²".
[[nodiscard]] std::string prettyFormula(const std::string& formula);

}  // namespace haloscope::exercises
