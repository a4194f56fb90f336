#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>

namespace haloscope::lessons {

/// What a reader did with a question since it was asked with these numbers.
struct Attempt {
  std::uint64_t seed = 0;             ///< of the numbers; 0: those of the file
  std::string typed;                  ///< a number
  std::optional<std::size_t> option;  ///< of a choice
  std::set<std::int64_t> cells;       ///< those clicked on, as LessonFacts numbers them
  std::optional<int> line;
  enum class Verdict : std::uint8_t { Open, Wrong, Right };
  Verdict verdict = Verdict::Open;
  bool revealed = false;  ///< the answer was shown: it counts as answered only with other numbers
  std::string complaint;  ///< about something typed that is not a number
};

}  // namespace haloscope::lessons
