#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "recording/BlockView.h"
#include "recording/Recording.h"

namespace haloscope::recording {

/// What one step wrote, summed up. A step may write into places of several kinds; these are those of the kind that
/// matters most: global memory before shared, a thread's own array before its variables.
struct StepWrites {
  Change::Kind kind = Change::Kind::Variable;
  std::vector<std::uint32_t> ids;                     ///< arrays or variables, each once
  std::vector<const Change*> last;                    ///< of each place the last change, by id and index
  std::size_t threads = 0;                            ///< that wrote them
  std::uint32_t called = kNone;                       ///< nothing but parameters of this inlined call was set
  std::size_t loaded = 0, copied = 0;                 ///< places: copied from global or constant memory; from elsewhere
  std::size_t literal = 0, computed = 0, others = 0;  ///< a literal of the text; arithmetic; not known
  /// Where the first copy came from, and whether all came from there.
  const Change* source = nullptr;
  bool oneSource = true;
  std::optional<std::uint64_t> value;      ///< the bits that all of them hold now
  std::optional<std::int64_t> inputPlane;  ///< of a 3D grid: the plane of all copies of input points, if it is one

  [[nodiscard]] bool empty() const { return ids.empty(); }
  /// Every place has an element of global or constant memory, apart from literals.
  [[nodiscard]] bool isLoad() const { return loaded > 0 && copied + computed + others == 0 && oneSource; }
  [[nodiscard]] bool isCopy() const { return copied > 0 && loaded + computed + others == 0 && oneSource; }
  [[nodiscard]] bool isLiteral() const { return literal > 0 && loaded + copied + computed + others == 0; }
  [[nodiscard]] bool isComputed() const { return computed > 0 && loaded + copied + others == 0; }
};

[[nodiscard]] StepWrites writesOf(const Recording& recording, std::size_t step, const Footprint& footprint);

/// Whether a shape has planes that can be counted.
[[nodiscard]] bool hasPlanes(const std::vector<std::int64_t>& extents);

/// The instructions of a statement up to an inlined call's own statements, or to the next statement; empty for kNone.
[[nodiscard]] std::span<const Instruction> codeOf(const Program& program, StatementId statement);

/// Whether that code has arithmetic, on floating-point numbers or on any.
[[nodiscard]] bool computes(const Program& program, StatementId statement, bool floating);

/// The names of arrays or variables: "a", "a and b", "a, b and c", "a, b and 3 others".
[[nodiscard]] std::string namesText(const std::vector<std::string>& names);

/// The names of what was written, members of one struct as the struct.
[[nodiscard]] std::vector<std::string> namesOf(const Recording& recording, const StepWrites& writes);
[[nodiscard]] std::string sourceName(const Recording& recording, const StepWrites& writes);

/// The arrays that the step reads, each once: global ones first, constant ones last.
[[nodiscard]] std::vector<std::string> namesRead(const Recording& recording, std::size_t step);

}  // namespace haloscope::recording
