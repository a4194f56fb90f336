#include "analysis/ObjectSize.h"

namespace haloscope::analysis {

std::int64_t elementCount(const Program& program, const Launch& launch, ObjectId object) {
  const MemoryObject& array = program.objects[object];
  if (!array.extentsAtLaunch) { return array.elementCount(); }
  if (array.space == MemorySpace::Shared) {
    return launch.configuration.dynamicSharedBytes / sizeInMemory(array.element);
  }
  return launch.arrays[object].elementCount();
}

}  // namespace haloscope::analysis
