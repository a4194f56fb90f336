#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "recording/Cursor.h"
#include "recording/Recording.h"

/// What a block looks like: roles, carriers, lanes. Everything here is derived from the recording; nothing depends on
/// a particular kernel. The scene and the memory panel draw it; tests read it.
namespace haloscope::recording {

/// The arrays a block works between.
struct GlobalArrays {
  ObjectId input = kNone;  ///< the most read global array of the output's shape or, if there is none, the most read one
  ObjectId output = kNone;  ///< the most written global array
};

[[nodiscard]] GlobalArrays findGlobalArrays(const Recording& recording);

/// A point of a global array: slowest axis first, padded in front, so that a 2D array is {0, row, column}.
struct GridPoint {
  std::int64_t z = 0, y = 0, x = 0;
  bool operator==(const GridPoint&) const = default;
};

/// The role of a cell in the focused block.
enum class Role : std::uint8_t {
  Interior,   ///< a copy of an input point whose output this block computes
  Halo,       ///< a copy of an input point outside the output tile
  Ghost,      ///< represents a point outside the array: written with a constant, or left unwritten
  Unwritten,  ///< inside the array, but nothing was written yet
  Computed,   ///< the result of arithmetic
  Output,     ///< an output point that has been written
  Pending,    ///< an output point of this block, not written yet
};

/// What a lane is doing at the current step.
enum class LaneStatus : std::uint8_t { Computing, Loading, Storing, MaskedOff, Waiting, Exited, Idle };

/// One input point, or one output point, of the focused block.
struct PointView {
  GridPoint at;              ///< of an output: the input point it is computed around
  std::int64_t element = 0;  ///< of its own array
  Role role = Role::Interior;
  bool active = false;           ///< read (from global memory) or written by the current step
  std::uint64_t bits = 0;        ///< of an output that is not written yet: 0
  std::uint32_t thread = kNone;  ///< of the current step's reader if active, else of the first; or the writer
  std::uint32_t step = kNone;    ///< step that read it first, even if that is yet to come; or that wrote it
  /// Of an input: the block of the cluster in whose shared memory it was read, if not from global memory.
  std::uint32_t rank = kNone;
};

/// Facts about a whole recording, found once: which global array is input and output, the output tile, the footprint.
struct Footprint {
  ObjectId input = kNone;   ///< the global array (of the output's shape, if there is such) that is read most
  ObjectId output = kNone;  ///< the global array written most
  std::vector<std::int64_t> inputExtents;  ///< slowest first
  std::vector<std::int64_t> outputExtents;
  /// Added to an output's place in its array it gives the input point it is computed around: zero for arrays of one
  /// shape; for a "valid" convolution, whose output is smaller, the radius.
  GridPoint outputShift;
  std::vector<std::int64_t> outputs;    ///< sorted element indices this block writes
  std::vector<std::int64_t> loads;      ///< sorted distinct input elements it reads
  GridPoint lowest, highest;            ///< bounding box of loads and outputs, inclusive, in the input's points
  std::vector<PointView> loadPoints;    ///< one per `loads`: place, role, first reader and the value it read
  std::vector<PointView> outputPoints;  ///< one per `outputs`: place in the input's points

  [[nodiscard]] bool computes(std::int64_t element) const;  ///< the output around this input element is in `outputs`
  [[nodiscard]] bool reads(std::int64_t element) const;
  [[nodiscard]] GridPoint point(std::int64_t element) const;
  /// The element at a point, or -1 outside the array.
  [[nodiscard]] std::int64_t element(const GridPoint& at) const;
  /// Share of what it reads from global memory that is not in `outputs`.
  [[nodiscard]] double haloFraction() const;
};

[[nodiscard]] Footprint findFootprint(const Recording& recording);

/// A shared array of floating-point numbers, or a variable held by every thread that at some time carries copies of
/// input points.
struct Carrier {
  enum class Kind : std::uint8_t { SharedArray, Register };
  Kind kind = Kind::SharedArray;
  std::uint32_t id = kNone;  ///< ObjectId or VariableId
  std::string name;          ///< as in the source: inCurr_s, inPrev
  ValueType type = ValueType::F32;
  std::vector<std::int64_t> extents;  ///< of the array; for a register: the block's {z, y, x}
  bool copies = true;                 ///< false: it only ever holds results of arithmetic
};

/// The carriers of a recording, in the order of the text: shared arrays that ever hold a copy of an input point, or,
/// with an axis for each of the grid's last two, computed floating-point numbers (a separable filter's sums of rows);
/// and floating-point variables of the kernel itself that do and are never assigned the result of arithmetic (those are
/// accumulators).
[[nodiscard]] std::vector<Carrier> findCarriers(const Recording& recording);

/// One cell of a carrier now.
struct CarrierCell {
  std::int64_t index = 0;  ///< element of the array, or thread of the block
  GridPoint at{};          ///< grid point it holds (or would hold: continued from its neighbours)
  bool placed = false;     ///< `at` is known
  Role role = Role::Unwritten;
  Cell cell;
  bool changed = false;            ///< by the current step
  bool read = false;               ///< by the current step
  std::uint32_t inFlight = kNone;  ///< index into Recording::inFlight of the copy on its way here; kNone: there is none
};

/// A carrier now: where in the grid its cells lie. The map from array index to grid point is found from the origins of
/// the cells that have one; it moves when a plane rotates. A cell with an origin is placed there, the others by the
/// map.
///
/// A cell without an origin is a Ghost if its place lies outside the array, whether it was left unwritten or got a
/// constant. Inside the array a constant is only what a register was initialised with: Unwritten, because it
/// represents no point.
struct CarrierView {
  const Carrier* carrier = nullptr;
  std::vector<CarrierCell> cells;   ///< in index order
  bool placed = false;              ///< an offset was found
  GridPoint offset;                 ///< grid point of index 0
  std::uint32_t movedFrom = kNone;  ///< index of the carrier that the current step copied into this one, or kNone
};

/// The focused block at a cursor's position.
struct BlockView {
  std::vector<CarrierView> carriers;
  std::vector<PointView> inputs;   ///< all points of the footprint's loads
  std::vector<PointView> outputs;  ///< all points of the output tile; role Output or Pending
  std::vector<LaneStatus> lanes;   ///< one per thread of the block
  std::size_t outputsWritten = 0;
};

/// `footprint` and `carriers` must be those of the cursor's recording and outlive the view.
[[nodiscard]] BlockView viewBlock(const Cursor& cursor, const Footprint& footprint,
                                  const std::vector<Carrier>& carriers);

/// What one thread holds and does: for the register panel and hovers.
struct ThreadValue {
  VariableId variable = kNone;
  std::string name;
  ValueType type = ValueType::I32;
  Cell cell;
  bool changed = false;
  std::uint64_t before = 0;  ///< when changed by the current step
  bool inScope = true;
  std::string text{};  ///< in readable form, as formatValue gives it; "unwritten"; a pointer as "in + 33"
};
/// Whether the variable's name means something at a step, null before the first; within an inlined function, also those
/// of the place it was called from.
[[nodiscard]] bool inScope(const Program& program, const Variable& variable, const Step* step);
[[nodiscard]] std::vector<ThreadValue> threadValues(const Cursor& cursor, std::uint32_t thread);

/// A value in readable form: "0.61843" (six digits), "-3", "true"; "unwritten" for a float of kPoison.
[[nodiscard]] std::string formatValue(ValueType type, std::uint64_t bits);
/// The shortest text that reads back as the same value: "0.618430018".
[[nodiscard]] std::string formatExact(ValueType type, std::uint64_t bits);
/// What to say of a copy in flight: "by thread 0, arrives at arrived_s[1] in step 40".
[[nodiscard]] std::string inFlightText(const Recording& recording, const InFlight& copy);
/// A pointer as "in + 33", or "in_s + 2 bytes" between elements; any other type as formatValue does.
[[nodiscard]] std::string formatValue(const Program& program, ValueType type, std::uint64_t bits);
/// "in[2][3]" for element 19 of an array of extents {…, 8}.
[[nodiscard]] std::string formatElement(const std::string& name, const std::vector<std::int64_t>& extents,
                                        std::int64_t element);

/// Where a block lies in its grid: how many of its sides are at the grid's border.
enum class BlockPlace : std::uint8_t {
  Interior,
  Face,
  Edge,
  Corner,
  Only,  ///< the grid has no other block: every side is at the border
};
/// Counted over the axes along which the grid has more than one block; where there is one such axis, both end blocks
/// are faces.
[[nodiscard]] BlockPlace placeOf(const Dim3& block, const Dim3& grid);

}  // namespace haloscope::recording
