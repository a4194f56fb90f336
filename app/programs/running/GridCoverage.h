#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "program/Launch.h"
#include "running/DeviceMemory.h"
#include "running/LaunchBinding.h"
#include "running/ProgramRun.h"

namespace haloscope::running {

/// Grids that end too early: elements for which the kernel's own bounds check has room, and which no thread reaches. A
/// kernel has such a check along an axis if a block far beyond the grid accesses nothing outside its arrays and writes
/// nothing; what blocks next to the grid would write is what the grid leaves out.
class GridCoverage {
 public:
  /// A launch that was executed whole, `index` among ProgramRun::launches. `isNew`: the first one like it.
  void launched(std::size_t index, const ProgramLaunch& launch, const BoundLaunch& bound, bool isNew,
                const RunOptions& options);
  /// When the program has ended: a finding at the first launch of each such kernel, unless its launches share the
  /// array among them. What comes of elements that are never written belongs to the same mistake.
  void conclude(std::vector<ProgramLaunch>& launches) const;

 private:
  struct Gap {
    std::size_t launch = 0;
    std::string symbol{};
    AllocationId allocation = 0;
    ObjectId object = kNone;
    std::int64_t elementBytes = 1;
    std::vector<std::int64_t> elements{};  ///< ascending
    Dim3 needed{};                         ///< the grid that would reach them
    bool more = false;                     ///< there are further elements
    std::string exchanged{};  ///< "w and h": with these two numbers exchanged the launch's own grid reaches all
  };
  /// The launches of a kernel that write one array.
  struct Writers {
    std::string shape;
    bool differ = false;                                ///< in more than their numbers: each may do a part of the work
    std::vector<std::vector<std::uint64_t>> arguments;  ///< of the first few that differ in their numbers
  };
  void look(std::size_t index, const ProgramLaunch& launch, const BoundLaunch& bound, const RunOptions& options);

  std::vector<Gap> gaps_;
  std::map<std::pair<std::string, AllocationId>, Writers> writers_;
};

}  // namespace haloscope::running
