#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace haloscope::exercises {

/// What one types: a number, or a list of numbers.
struct Field {
  const char* name;                                   ///< "n": as formulas have it
  const char* meaning;                                ///< "elements of the array"
  const char* value;                                  ///< to begin with: "7", "8,2,5"
  std::int64_t minimum = 1, maximum = 1'000'000'000;  ///< of the number, or of the list's length
  std::int64_t drawnLow = 1, drawnHigh = 1;           ///< "again with other numbers" draws from these
  bool odd = false;                                   ///< the number, or the list's length
  bool list = false;
};

/// What the numbers must fulfil together.
struct Condition {
  const char* holds;      ///< "M <= N"
  const char* otherwise;  ///< one sentence
};

/// A line of a derivation: a new name, its formula over fields and earlier names, and why.
struct Step {
  const char* name;
  const char* formula;
  const char* why;
  const char* when = "";  ///< over fields and the names before it; empty: always
};

/// Another way to count, with its own formula, which is shown where its value differs from the executed one.
struct Convention {
  const char* name;
  const char* formula;  ///< over fields and the names of the derivation
  const char* why;
};

/// One question; its answer is the last step's value, and what the query yields.
struct Part {
  const char* id;     ///< "blocks"
  const char* ask;    ///< "How many blocks does the grid have?"
  const char* query;  ///< see questions::answer()
  std::vector<Step> steps;
  std::vector<Convention> conventions{};
};

/// A kernel that executes the exercise, and its sizes and tunables as formulas over the fields.
struct Executor {
  const char* kernel;  ///< a variant's id, or "exercise/coarsened" of assets/exercises
  const char* when;    ///< a condition; empty: always
  std::map<std::string, const char*> bindings;
  std::map<std::string, const char*> data{};  ///< an array's elements: the name of a list
  const char* block = "";    ///< a formula for the index of the block to look at, on each axis; empty: the middle one
  const char* picture = "";  ///< the query of the picture where it differs from the exercise's; empty: that one
};

/// The picture that belongs to an exercise: a set of cells, in what it is a set of.
struct Picture {
  const char* query;    ///< "ghost_cells"
  const char* caption;  ///< what is marked
  const char* list;     ///< the field whose numbers stand in the cells; empty: none
};

/// An exercise: data alone. One more is one more entry of a list in this folder.
struct Exercise {
  const char* id;
  const char* title;
  const char* lesson;   ///< id of the lesson that it belongs to
  const char* section;  ///< of PMPP 4e; "beyond" where the book has none
  const char* task;     ///< what is given
  std::vector<Field> fields;
  std::vector<Condition> conditions;
  std::vector<Executor> executors;  ///< the first one whose condition holds executes it
  std::vector<Part> parts;
  Picture picture{};
};

/// In the order of the chapters.
[[nodiscard]] std::span<const Exercise> exercises();
/// Throws InputError, with the exercise that may be meant.
[[nodiscard]] const Exercise& exercise(std::string_view id);
/// Throws InputError, naming the exercise's questions.
[[nodiscard]] const Part& partOf(const Exercise& exercise, std::string_view id);

/// The parts of the list, one for each file.
[[nodiscard]] std::vector<Exercise> arrayExercises();
[[nodiscard]] std::vector<Exercise> tileExercises();
[[nodiscard]] std::vector<Exercise> stencilExercises();

}  // namespace haloscope::exercises
