#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "recording/Recording.h"

namespace haloscope::recording {

/// A value in memory or in a register at some moment of a recording.
struct Cell {
  std::uint64_t bits = 0;
  Origin origin;
  std::uint32_t writer = kNone;     ///< thread that wrote it last, linear in the block
  std::uint32_t writtenAt = kNone;  ///< step that wrote it last
  bool operator==(const Cell&) const = default;
};

/// Everything the focused block can see at one moment, but for the global arrays it only reads. Changes are applied
/// in their order, and reverted in the opposite one.
class BlockState {
 public:
  BlockState() = default;
  /// The state before the first step: scalar arguments are set, all else is unwritten.
  explicit BlockState(const Recording& recording);

  void apply(const Change& change, std::uint32_t step);
  void revert(const Change& change);

  /// Elements of a shared array; of a local array: thread * element count + element. Empty for other spaces.
  [[nodiscard]] const std::vector<Cell>& array(ObjectId object) const { return arrays_[object]; }
  [[nodiscard]] const std::vector<Cell>& variable(VariableId variable) const { return variables_[variable]; }
  [[nodiscard]] const std::vector<std::int64_t>& written(ObjectId object) const { return written_[object]; }
  [[nodiscard]] const Cell* output(ObjectId object, std::int64_t element) const;
  /// The cell a change of this kind, id and index would act on; nullptr for a global element not written yet.
  [[nodiscard]] const Cell* find(Change::Kind kind, std::uint32_t id, std::int64_t index) const;

 private:
  Cell& cell(Change::Kind kind, std::uint32_t id, std::int64_t index);

  std::vector<std::vector<Cell>> arrays_;
  std::vector<std::vector<Cell>> variables_;
  /// Per object. A reverted element stays in the map as an unwritten cell: moving to and fro allocates nothing.
  std::vector<std::unordered_map<std::int64_t, Cell>> outputs_;
  std::vector<std::vector<std::int64_t>> written_;
};

}  // namespace haloscope::recording
