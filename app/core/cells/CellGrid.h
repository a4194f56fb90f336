#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "recording/BlockView.h"
#include "recording/CarrierPlanes.h"
#include "recording/Recording.h"

/// The arrays of a block as grids of cells: what is drawn of a recording by the memory panel, on a page to take home
/// and on paper. Which arrays there are, how their cells are arranged and what they are called is found once for a
/// recording (CellGrid); what each cell is at a step follows from the block's view (cellsOf).
namespace haloscope::cells {

struct CellGrid {
  enum class Kind : std::uint8_t {
    Input,  ///< global memory that the block reads, of the input's shape
    Shared,
    Register,  ///< a variable of each thread that holds a copy of an input point
    Constant,
    Read,  ///< other global memory that it reads: coefficients
    Output,
  };

  Kind kind = Kind::Shared;
  std::uint32_t id = kNone;       ///< ObjectId; of a register: VariableId
  std::uint32_t carrier = kNone;  ///< its number among the carriers
  recording::RotationPlace place = recording::RotationPlace::None;
  std::string name;  ///< as in the source
  ValueType type = ValueType::F32;
  std::vector<std::int64_t> extents;  ///< of the array; of a register: of the block, without axes of 1 in front
  /// Where the first cell lies in the array; a box may begin before the array does.
  recording::GridPoint low;
  std::int64_t planes = 1, rows = 1, columns = 1;
  std::int64_t count = 0;            ///< of cells; the last row of a folded array may have fewer
  std::vector<std::int64_t> listed;  ///< elements that lie too far apart for a box; else empty
  /// Elements that the block reads of global or constant memory, each with the value that it read first; sorted.
  std::vector<std::pair<std::int64_t, std::uint64_t>> read;

  /// One row, or a row that was folded.
  [[nodiscard]] bool isStrip() const { return extents.size() < 2 || !listed.empty(); }
  /// Breaks a longer strip into rows of `width`.
  void fold(std::int64_t width);
  /// Element of the array, or thread of the block; -1 outside.
  [[nodiscard]] std::int64_t element(std::int64_t cell) const;
  /// "in[2][3]", "inPrev of thread (1,2,0)".
  [[nodiscard]] std::string nameOf(std::int64_t element, const Dim3& block) const;
  [[nodiscard]] const char* kindText() const;  ///< "shared memory"
  /// The place among changes that an element of it has.
  [[nodiscard]] recording::Change::Kind changeKind() const;
};

/// What the block has for itself: carriers in the order of the text, other shared arrays, constant memory as a whole.
[[nodiscard]] std::vector<CellGrid> ownArrays(const recording::Recording& recording,
                                              const std::vector<recording::Carrier>& carriers,
                                              const std::vector<recording::CarrierPlane>& planes);

/// All that it works with, in the order in which values pass: inputs, carriers and other shared arrays, coefficients,
/// the output. Of constant and global memory the box around what the block reads or writes.
[[nodiscard]] std::vector<CellGrid> allArrays(const recording::Recording& recording,
                                              const recording::Footprint& footprint,
                                              const std::vector<recording::Carrier>& carriers,
                                              const std::vector<recording::CarrierPlane>& planes);

/// A cell of a grid at a moment. `index` is its element or thread, -1 outside of the array.
struct GridCell : recording::CarrierCell {
  bool known = false;  ///< the block reads, holds or writes it
  bool shown = false;  ///< it has a value
};

/// One for each cell of the grid, `view` being the block at the cursor.
[[nodiscard]] std::vector<GridCell> cellsOf(const CellGrid& grid, const recording::Cursor& cursor,
                                            const recording::Footprint& footprint, const recording::BlockView& view);

/// Elements of a shared, constant or global array that the cursor's step reads, sorted; `thread`: only what that one
/// does.
[[nodiscard]] std::vector<std::int64_t> elementsRead(const recording::Cursor& cursor, ObjectId object,
                                                     std::optional<std::uint32_t> thread = {});

/// A range of values, in which a shade always means the same one.
struct ValueRange {
  double low = 0, high = 1;

  [[nodiscard]] float shade(double value) const;  ///< 0…1
};
/// Of an array of the block: that of the input for its copies, else that of its own values.
[[nodiscard]] ValueRange rangeOf(const CellGrid& grid, const std::vector<GridCell>& cells,
                                 const recording::Recording& recording, const recording::Footprint& footprint);

}  // namespace haloscope::cells
