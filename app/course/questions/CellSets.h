#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "recording/BlockView.h"

namespace haloscope::questions {

class Execution;

/// Cells that one can point at.
struct CellSet {
  enum class Of : std::uint8_t { Array, Threads, Lanes };
  Of of = Of::Array;
  std::string array;                        ///< of Of::Array: its name
  std::vector<std::int64_t> extents;        ///< of what they are cells of, slowest axis first
  std::vector<recording::GridPoint> cells;  ///< sorted; ghost cells are outside the extents

  [[nodiscard]] bool contains(const recording::GridPoint& cell) const;
  bool operator==(const CellSet&) const = default;
};

/// What stands in the brackets behind the name of a set.
struct SetArguments {
  std::vector<double> numbers;
  std::string at;  ///< at=TEXT
};

/// A set that an execution yields.
struct NamedSet {
  const char* name;
  const char* arguments;  ///< "(i,j,k)"; empty: none
  const char* meaning;    ///< half a sentence
  CellSet (*cells)(Execution& execution, const SetArguments& arguments);
};
[[nodiscard]] std::span<const NamedSet> namedSets();
/// nullptr: there is none of this name.
[[nodiscard]] const NamedSet* findSet(const std::string& name);

/// Input points around the output tile that the chosen block loads.
[[nodiscard]] CellSet haloCells(Execution& execution);
/// Input points that the chosen block loads and that none of its outputs needs, such as the corners of a tile.
[[nodiscard]] CellSet unusedCells(Execution& execution);
/// The most elements of the input that lie between the first and the last one that a thread of the chosen block loads.
[[nodiscard]] std::int64_t spanOfLoads(Execution& execution);
/// Threads of the chosen block that write no output.
[[nodiscard]] CellSet idleThreads(Execution& execution);
/// Points that a whole output is computed from and that outputs at the border lack, each once.
[[nodiscard]] CellSet ghostCells(Execution& execution);

}  // namespace haloscope::questions
