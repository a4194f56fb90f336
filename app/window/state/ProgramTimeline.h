#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "running/ProgramRun.h"

namespace haloscope {

/// A call of the host, or a stretch of its output.
struct ProgramColumn {
  enum class Kind : std::uint8_t { Allocate, Free, Copy, Fill, Launch, Synchronize, Record, Print };
  Kind kind = Kind::Allocate;
  std::size_t event = 0;    ///< index into ProgramRun::events; of a Print: of the call after it
  std::size_t printed = 0;  ///< bytes of the output up to the end of this column
};

/// An array of the program.
struct ProgramRow {
  running::AllocationId allocation = 0;
  std::string name;
  std::size_t begin = 0, end = 0;         ///< columns in which it exists: [begin, end)
  std::optional<std::size_t> firstWrite;  ///< column; none: nothing writes it
};

/// What a column does with an array.
struct ArrayUse {
  std::size_t row = 0;
  bool reads = false, writes = false;
};

/// `times` repetitions of the same `period` columns.
struct RepeatedColumns {
  std::size_t begin = 0, period = 1, times = 1;

  [[nodiscard]] std::size_t end() const { return begin + period * times; }
  bool operator==(const RepeatedColumns&) const = default;
};

/// A program's run as a picture in time: the host's calls from left to right, its arrays from top to bottom.
struct ProgramTimeline {
  std::vector<ProgramColumn> columns;
  std::vector<ProgramRow> rows;       ///< in the order in which they were made; unused variables are left out
  std::vector<std::size_t> launches;  ///< the column of each launch
  std::vector<std::optional<std::size_t>> rowOf;  ///< by allocation
  std::vector<RepeatedColumns> repeats;           ///< from left to right

  ProgramTimeline() = default;
  /// `names`: of the allocations.
  ProgramTimeline(const running::ProgramRun& run, const std::vector<std::string>& names);

  /// The arrays that a column uses, each once, from top to bottom. What a launch reads and writes is what its kernel's
  /// text does.
  [[nodiscard]] std::vector<ArrayUse> uses(const running::ProgramRun& run, std::size_t column) const;
  /// The launch of a column; none for other calls.
  [[nodiscard]] std::optional<std::size_t> launchAt(const running::ProgramRun& run, std::size_t column) const;
};

/// Some of a time line's columns, with long repetitions folded: the first two and the last one are shown, and the one
/// around `opened`. What is left between them takes the room of kFoldWidth columns.
class FoldedColumns {
 public:
  static constexpr std::size_t kFoldWidth = 2;

  struct Item {
    std::size_t place = 0;  ///< where it begins, in widths of a column
    std::size_t first = 0;  ///< column
    std::size_t count = 1;  ///< columns; more than one: they are folded
    std::size_t period = 1;
    bool operator==(const Item&) const = default;

    [[nodiscard]] bool folded() const { return count > 1; }
    [[nodiscard]] std::size_t width() const { return folded() ? kFoldWidth : 1; }
  };

  /// `fold`: otherwise every column has its place.
  FoldedColumns(const ProgramTimeline& timeline, std::optional<std::size_t> opened, bool fold);

  /// Of all columns, in widths of one.
  [[nodiscard]] std::size_t width() const { return width_; }
  /// What is shown at a place, which must be less than the width.
  [[nodiscard]] Item at(std::size_t place) const;
  [[nodiscard]] Item itemOf(std::size_t column) const;
  [[nodiscard]] bool foldsAny() const { return foldsAny_; }

 private:
  /// Columns one after the other, or folded.
  struct Part {
    std::size_t place = 0, column = 0, count = 0, period = 1;
    bool folded = false;
  };

  void add(std::size_t end);
  void addFolded(std::size_t end, std::size_t period);

  std::vector<Part> parts_;
  std::size_t width_ = 0, column_ = 0;
  bool foldsAny_ = false;
};

}  // namespace haloscope
