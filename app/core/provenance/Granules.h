#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "program/Launch.h"
#include "simt/Observer.h"

namespace haloscope::provenance {

/// The units in which shadows of memory are kept: for each object the size of the smallest access that any instruction
/// could make to it. Nearly always that is an element; a shared array of bytes that is used as floats has floats.
class Granules {
 public:
  Granules(const Program& program, const Launch& launch);

  /// Of an object; of a Local one, of one thread's copy.
  [[nodiscard]] std::int64_t count(ObjectId object) const { return objects_[object].count; }
  /// Of one granule.
  [[nodiscard]] std::int64_t bytes(ObjectId object) const { return std::int64_t{1} << objects_[object].shift; }
  /// How many granules each lane of an access touches; the first is the lane's index times this.
  [[nodiscard]] std::int64_t perLane(const simt::MemoryAccess& access) const {
    return sizeInMemory(access.element) >> objects_[access.object].shift;
  }
  /// The element, as the object is declared, in which a granule begins.
  [[nodiscard]] std::int64_t element(ObjectId object, std::int64_t granule) const {
    return (granule << objects_[object].shift) / objects_[object].elementBytes;
  }

 private:
  struct OfObject {
    std::int64_t count = 0;
    int shift = 0;  ///< a granule has 1 << shift bytes
    int elementBytes = 1;
  };
  std::vector<OfObject> objects_;
};

/// The place of a lane's first granule among those of its object: `perLane` and `count` are the object's, see Granules.
[[nodiscard]] inline std::size_t firstGranule(const simt::WarpContext& context, const simt::MemoryAccess& access,
                                              int lane, std::size_t perLane, std::size_t count) {
  const auto index = static_cast<std::size_t>(access.index[static_cast<std::size_t>(lane)]) * perLane;
  if (access.space != MemorySpace::Local) { return index; }
  return (std::size_t{context.warp} * kWarpSize + static_cast<std::size_t>(lane)) * count + index;
}

}  // namespace haloscope::provenance
