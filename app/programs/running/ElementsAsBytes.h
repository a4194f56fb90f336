#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "faults/Finding.h"
#include "running/DeviceMemory.h"
#include "running/HostFindings.h"
#include "running/ProgramRun.h"

namespace haloscope::running {

/// Whether a kernel whose arrays are too small may have this without a mistake of its own.
[[nodiscard]] bool comesFromSmallArrays(const faults::Finding& finding);

/// Sizes that are numbers of elements where the runtime takes bytes.
class ElementsAsBytes {
 public:
  explicit ElementsAsBytes(HostFindings& findings) : findings_(findings) {}

  /// Whether an allocation is too small for what touches it by a factor that is the size of an element: the mistake is
  /// where it was made.
  bool isTooSmall(const Allocation& one, const DevicePlace& place, std::uint64_t extent);
  /// A copy of fewer bytes than the array has, by such a factor. It may be the first part of several.
  void checkCopy(const Allocation& one, const DevicePlace& place, std::uint64_t bytes, bool writes,
                 const host::HostPlace& at);
  /// The same of a copy of rows, whose width may be a number of elements.
  void checkRows(const Allocation& one, const DevicePlace& place, const host::Copy& call, bool writes,
                 const host::HostPlace& at);
  /// A copy or a fill writes or reads this part of an array.
  void touched(const DevicePlace& place, std::uint64_t extent, bool writes);
  /// When the program has ended: copies that nothing went on with are findings. What kernels do outside memory that is
  /// too small is no mistake of theirs.
  void conclude(std::vector<ProgramLaunch>& launches);

 private:
  struct ShortCopy {
    AllocationId allocation = 0;
    bool writes = false;                ///< it is to the device
    std::uint64_t bytes = 0;            ///< from the first that it touches to the last
    std::uint64_t part = 0, whole = 0;  ///< of the array, or of each row
    std::uint64_t rows = 1;
    host::HostPlace at{};
  };
  void add(ShortCopy copy);

  HostFindings& findings_;
  std::set<AllocationId> tooSmall_;
  std::vector<ShortCopy> shortCopies_;
};

}  // namespace haloscope::running
