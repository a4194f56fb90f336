#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cells/CellGrid.h"
#include "experiment/Experiment.h"
#include "experiment/TracedOutput.h"
#include "recording/BlockView.h"
#include "recording/Recording.h"

/// The arrays of a block at one moment: what a picture on paper shows of them.
namespace haloscope::worksheet {

/// A place that a step can write: an element of an array, or a variable of a thread.
struct CellKey {
  recording::Change::Kind kind = recording::Change::Kind::Shared;
  std::uint32_t id = kNone;  ///< ObjectId or VariableId
  std::int64_t index = 0;    ///< as Change::index
  auto operator<=>(const CellKey&) const = default;
};

struct PictureCell : cells::GridCell {
  CellKey key;
  std::string name{};  ///< "inCurr_s[0][3]"
  ValueType type = ValueType::F32;
  bool carrier = false;  ///< a copy, in shared memory or a register
  bool output = false;
  bool operand = false;  ///< of the traced output
  bool faulty = false;   ///< a fault reaches it
  int blank = -1;        ///< number of the blank, from 0; -1: its value is printed
};

/// One plane of an array, as much of it as paper has room for.
struct PictureGrid {
  enum class Group : std::uint8_t { Input, Block, Result };
  Group group = Group::Input;  ///< those of a group stand side by side
  std::string title;           ///< "inCurr_s", "in[12]"
  std::string kind;            ///< "shared memory"; empty: as the grid before it, of the same array
  recording::RotationPlace place = recording::RotationPlace::None;
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
