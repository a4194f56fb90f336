#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "running/Repetitions.h"

/// What a program prints, told apart by its form alone: no word of it is read.
namespace haloscope::running {

/// A line whose numbers are taken out of it.
struct PrintedLine {
  std::string text;  ///< as it is printed
  std::string form;  ///< "max error: #", spaces as one
  std::vector<double> numbers;
  bool operator==(const PrintedLine& other) const = default;
};

/// What is seen of a run: lines and the end.
struct Printed {
  ProgramEnd end = ProgramEnd::Failed;
  int status = 0;
  std::vector<PrintedLine> lines;

  [[nodiscard]] std::size_t count(const std::string& form) const;
  [[nodiscard]] bool has(const std::string& form) const { return count(form) > 0; }
  /// It has come to an end of its own: otherwise nothing can be said of it.
  [[nodiscard]] bool isOver() const {
    return end == ProgramEnd::Exited || end == ProgramEnd::Crashed || end == ProgramEnd::Uncaught;
  }
  /// With success, with another status, or in another way.
  [[nodiscard]] bool endsLike(const Printed& other) const {
    return end == other.end && (status == 0) == (other.status == 0);
  }
  bool operator==(const Printed& other) const = default;
};
[[nodiscard]] Printed printedBy(const Seen& seen);

/// A sign by which a program tells one result from others: a line that it prints for one of the two alone, its exit
/// status, or a number of a line.
struct Sign {
  std::string line{};  ///< as it is printed for the one result; empty: none
  bool ends = false;   ///< the program also ends in another way
};

/// The sign that sets one result apart from others, each of which differs from it in other points: these have to look
/// alike. A line or a status; or a number that is 0 or 1, and the reverse for all others, or one that is next to
/// nothing for this result alone.
[[nodiscard]] std::optional<Sign> signOf(const Printed& one, const std::vector<Printed>& others);

/// The sign by which a program rejects `found`: something that it does not print for `expected`, and prints again for
/// results that differ from that in some points, or a number that is next to nothing for `expected` alone. None if it
/// has no such sign. `clearly`: that number has to be as large as for the damaged ones, or nearly so.
[[nodiscard]] std::optional<Sign> rejectionOf(const Printed& found, const Printed& expected,
                                              const std::vector<Printed>& damaged, bool clearly = true);

/// Whether some number counts more where values change places.
[[nodiscard]] bool hasGrowingCount(const Printed& one, const std::vector<Printed>& exchanged);
/// The line in which a program counts the elements that it takes for wrong: some already, more if values change places
/// or are what they were before, and the most, of `elements`, if all are far too large or all are far too small. What
/// counts edges or extremes finds none then.
[[nodiscard]] std::optional<Sign> countOf(const Printed& one, const std::vector<Printed>& more, const Printed& tooLarge,
                                          const Printed& tooSmall, std::int64_t elements);

}  // namespace haloscope::running
