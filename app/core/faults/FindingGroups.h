#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "faults/Finding.h"
#include "program/Program.h"

namespace haloscope::faults {

/// Which findings are about one mistake: a missing barrier shows at every place that reads too early, a missing guard
/// at every neighbour of a statement.
///
/// Findings belong together if they are of one kind and one array and happen in one straight piece of the text: a
/// statement, or several with neither a condition, a loop nor a barrier between them, since what guards one of them
/// guards all. Races belong together if either of their two accesses does.
class FindingGroups {
 public:
  explicit FindingGroups(const Program& program);

  /// Places in the list, of each group those of its findings, in the order of the list.
  [[nodiscard]] std::vector<std::vector<std::size_t>> of(std::span<const Finding> findings) const;
  /// One finding for a group: its first is the headline, or, of races, the first that reads what another thread
  /// writes; the others are among its `also`. Occurrences are added; the outputs are left to the caller.
  [[nodiscard]] static Finding merged(std::span<const Finding> findings, std::span<const std::size_t> group);
  /// Of findings that have no outputs: one for each group.
  [[nodiscard]] std::vector<Finding> merged(std::span<const Finding> findings) const;

 private:
  using Place = std::tuple<int, int, int, int>;  ///< line and column of both ends

  [[nodiscard]] std::uint32_t pieceAt(const SourceRange& where) const;

  std::map<Place, std::uint32_t> pieces_;  ///< straight piece of the text, by an instruction's place
};

}  // namespace haloscope::faults
