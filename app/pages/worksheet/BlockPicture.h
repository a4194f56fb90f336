#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiment/Experiment.h"
#include "experiment/TracedOutput.h"
#include "recording/BlockView.h"
#include "recording/Recording.h"

/// The arrays of a block at one moment as grids of cells: what a picture on paper shows of a recording.
namespace haloscope::worksheet {

/// A place that a step can write: an element of an array, or a variable of a thread.
struct CellKey {
  recording::Change::Kind kind = recording::Change::Kind::Shared;
  std::uint32_t id = kNone;  ///< ObjectId or VariableId
  std::int64_t index = 0;    ///< as Change::index
  auto operator<=>(const CellKey&) const = default;
};

struct PictureCell {
  CellKey key;
  std::string name{};  ///< "inCurr_s[0][3]"
  recording::Role role = recording::Role::Unwritten;
  bool inArray = false;  ///< something is known of it: it is read, held or written by the block
  bool shown = false;    ///< it has a value
  bool carrier = false;  ///< a copy, in shared memory or a register
  bool output = false;
  bool written = false;  ///< by the step of the picture
  bool operand = false;  ///< of the traced output
  bool faulty = false;   ///< a fault reaches it
  ValueType type = ValueType::F32;
  std::uint64_t bits = 0;
  recording::Origin origin{};
  int blank = -1;  ///< number of the blank, from 0; -1: its value is printed
};

/// One plane of an array.
struct PictureGrid {
  enum class Group : std::uint8_t { Input, Block, Result };
  Group group = Group::Input;  ///< those of a group stand side by side
  std::string title;           ///< "inCurr_s", "in[12]"
  std::string kind;            ///< "shared memory"; empty: as the grid before it, of the same array
  std::size_t array = 0;       ///< the same for planes of one array
  std::int64_t rows = 1, columns = 1;
  std::vector<std::string> rowNames{}, columnNames{};
  std::vector<PictureCell> cells{};  ///< row by row
};

struct BlockPicture {
  std::size_t position = 0;              ///< of the cursor
  std::uint32_t thread = 0;              ///< whose work is followed, linear in the block
  std::optional<std::int64_t> output{};  ///< the element that it writes, of the footprint's output
  std::vector<PictureGrid> grids{};
  std::vector<std::string> leftOut{};  ///< what is not drawn, a sentence each
};

/// The picture after the first step that writes an output, or at `position` if that is not 0; `thread`: none, then one
/// whose output needs halo cells. `faulty`: elements of the output that faults reach. The experiment has a recording.
[[nodiscard]] BlockPicture blockPicture(const experiment::Experiment& experiment, std::size_t position,
                                        std::optional<std::uint32_t> thread, const std::vector<std::int64_t>& faulty);

/// The sum of an output in numbers: "2 · 7 + 1 · 4"; empty if it is no sum that adds up to exactly the output.
[[nodiscard]] std::string sumText(const experiment::TracedOutput& traced);

}  // namespace haloscope::worksheet
