#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "program/Launch.h"
#include "program/Program.h"

/// What happened in one block, statement by statement. The emulator and the GPU both produce this format; every panel
/// reads it and nothing else.
namespace haloscope::recording {

/// The bits of a variable that was never assigned: all set, as the emulator leaves them. As a float it is a NaN that
/// no arithmetic yields; as an integer it is -1, so only a Cell's origin distinguishes it.
inline constexpr std::uint64_t kPoison = ~std::uint64_t{0};
/// Whether a floating-point value is kPoison, as its type holds it. Integers never are: -1 may have been computed.
[[nodiscard]] bool isPoison(ValueType type, std::uint64_t bits);

/// Where a value came from by copying alone: an element of a global array, through shared memory and registers.
/// Arithmetic has no origin; a constant (the 0.0f of a ghost cell) has none either, but is marked as one.
struct Origin {
  enum class Kind : std::uint8_t {
    Unwritten,  ///< not written yet
    Computed,   ///< result of arithmetic
    Constant,   ///< a literal of the text, or a value of constant memory
    Element,    ///< a copy of element `element` of global object `object`
  };
  Kind kind = Kind::Unwritten;
  ObjectId object = kNone;
  std::int64_t element = 0;
  bool operator==(const Origin&) const = default;
};

/// One value that a step wrote, with before and after, so that a cursor moves either way at the same cost. A write of
/// the value that was there already is a change too.
struct Change {
  enum class Kind : std::uint8_t {
    Shared,    ///< id: ObjectId; index: element of the shared array
    Variable,  ///< id: VariableId; index: thread of the block, x fastest
    Global,    ///< id: ObjectId; index: element of the global array
    Local,     ///< id: ObjectId; index: thread * element count + element
  };
  /// Where the same statement took the value from without arithmetic: `inPrev = inCurr` copies from the variable
  /// inCurr, whatever inCurr holds. None for results of arithmetic and for literals.
  enum class CopiedFrom : std::uint8_t { None, Shared, Variable, Global, Local, Constant };

  Kind kind = Kind::Shared;
  CopiedFrom copiedFrom = CopiedFrom::None;
  std::uint32_t id = kNone;
  std::uint32_t copiedId = kNone;  ///< the ObjectId or VariableId it was copied from
  std::uint32_t thread = 0;        ///< that wrote it, linear in the block
  std::int64_t index = 0;
  std::uint64_t before = 0;  ///< bits, in the low bytes
  std::uint64_t after = 0;
  Origin originBefore{};
  Origin originAfter;
  std::uint32_t threadBefore = kNone;     ///< that had written the previous value
  std::uint32_t writtenAtBefore = kNone;  ///< in which step; kNone: not written before
};

/// One warp's memory access within a step. Lane l of `lanes` (ascending) owns the next entry of elements and values.
struct AccessGroup {
  std::uint32_t instruction = 0;  ///< index into Program::code: its range is the expression, its type the element's
  std::uint32_t warp = 0;
  LaneMask lanes = 0;
  ObjectId object = kNone;
  MemorySpace space = MemorySpace::Global;
  bool store = false;
  std::uint32_t first = 0;  ///< index into Recording::elements and ::values
};

/// A value that a thread of the block read from the shared memory of another block of its cluster, or wrote there.
struct ClusterAccess {
  std::uint32_t step = 0;
  std::uint32_t instruction = 0;  ///< index into Program::code
  std::uint32_t thread = 0;       ///< linear in the block
  std::uint32_t rank = 0;         ///< of the other block
  ObjectId object = kNone;
  std::int64_t element = 0;
  std::uint64_t bits = 0;
  Origin origin;  ///< of the value
};

/// The lanes of one warp at one step.
struct WarpState {
  LaneMask active = 0;   ///< executed the step's statement
  LaneMask waiting = 0;  ///< waiting at a barrier
  LaneMask exited = 0;   ///< left the kernel, or never existed (a last warp that is not full)
};

/// An element of shared memory that an asynchronous copy is on its way to.
struct InFlight {
  ObjectId object = kNone;
  std::int64_t index = 0;
  std::uint32_t thread = 0;         ///< that issued the copy
  std::uint32_t issuedAt = 0;       ///< step
  std::uint32_t arrivesAt = kNone;  ///< step; kNone: not in this recording
  ObjectId barrier = kNone;         ///< the shared array that has the barrier at which it arrives; kNone: none
  std::int64_t barrierIndex = 0;    ///< its element

  [[nodiscard]] bool isAt(std::size_t step) const { return issuedAt <= step && step < arrivesAt; }
};

/// One step: one statement, executed by all the warps that had reached it.
struct Step {
  StatementId statement = kNone;
  std::uint32_t interval = 0;   ///< barrier interval: barriers released before this step
  std::uint32_t plane = kNone;  ///< index into Recording::planes, or kNone outside the plane loop
  std::uint32_t firstChange = 0, changeCount = 0;
  std::uint32_t firstAccess = 0, accessCount = 0;
};

/// What a step did, in the one word a timeline has room for. Derived from its accesses and changes.
enum class Activity : std::uint8_t {
  Control,  ///< index arithmetic, conditions
  Load,     ///< read global memory
  Output,   ///< wrote global memory
  Move,     ///< copied values between shared arrays and registers (the plane rotation)
  Compute,  ///< other floating-point work
  Barrier,
};

/// One turn of the loop that carries the block through the grid: the outermost loop with a barrier in it.
struct Plane {
  std::uint32_t firstStep = 0, endStep = 0;
  std::string variable;  ///< the loop's variable, e.g. "i"; empty if it has none
  std::int64_t value = 0;
};

/// A barrier interval as a range of steps.
struct Interval {
  std::uint32_t firstStep = 0, endStep = 0;
  float seconds = 0;  ///< of its steps, as Pace.h has them
  bool operator==(const Interval&) const = default;
};

struct Recording {
  enum class Source : std::uint8_t { Emulator, Gpu };

  std::shared_ptr<const Program> program;
  LaunchConfiguration configuration;
  Dim3 block;  ///< the focused block's blockIdx
  Source source = Source::Emulator;
  /// Shapes of Program::objects at launch (slowest first; those of pointer parameters come from the launch).
  std::vector<std::vector<std::int64_t>> extents;

  std::vector<Step> steps;
  std::vector<Activity> activities;   ///< one per step
  std::vector<WarpState> warpStates;  ///< step * warpCount + warp
  std::vector<Change> changes;
  std::vector<AccessGroup> accesses;
  std::vector<std::int64_t> elements;
  std::vector<std::uint64_t> values;
  std::vector<ClusterAccess> clusterAccesses;  ///< by step; those of `accesses` are to the block's own memory
  std::vector<InFlight> inFlight;              ///< in the order of issue
  std::vector<Plane> planes;
  std::vector<Interval> intervals;
  /// Values before the first step, per object: only Constant objects and nothing else are filled; shared memory and
  /// variables start Unwritten (parameters start with their argument, origin Constant).
  std::vector<std::vector<std::uint64_t>> initialConstants;
  std::vector<std::uint64_t> initialVariables;  ///< per variable: bits for parameters, poison otherwise
  bool truncated = false;                       ///< the step budget or the memory budget ended the recording early
  std::string message;                          ///< why it ended early (endless loop, divergent barrier), else empty

  [[nodiscard]] std::uint32_t warpCount() const { return configuration.warpsPerBlock(); }
  [[nodiscard]] std::uint32_t threadCount() const { return configuration.threadsPerBlock(); }
  [[nodiscard]] std::span<const Change> changesOf(std::size_t step) const {
    return std::span(changes).subspan(steps[step].firstChange, steps[step].changeCount);
  }
  [[nodiscard]] std::span<const AccessGroup> accessesOf(std::size_t step) const {
    return std::span(accesses).subspan(steps[step].firstAccess, steps[step].accessCount);
  }
  /// Of a step, to other blocks of the cluster.
  [[nodiscard]] std::span<const ClusterAccess> clusterAccessesOf(std::size_t step) const;
  [[nodiscard]] const WarpState& warpState(std::size_t step, std::uint32_t warp) const {
    return warpStates[step * warpCount() + warp];
  }
  [[nodiscard]] std::size_t byteCount() const;  ///< memory held, for the bench and the status bar
};

}  // namespace haloscope::recording
