#include "program/ObjectSize.h"

namespace haloscope {

std::int64_t byteCount(const Program& program, const Launch& launch, ObjectId object) {
  const MemoryObject& array = program.objects[object];
  if (!array.extentsAtLaunch) { return array.byteCount(); }
  if (array.space == MemorySpace::Shared) { return launch.configuration.dynamicSharedBytes; }
  return static_cast<std::int64_t>(launch.arrays[object].bytes.size());
}

std::int64_t elementCount(const Program& program, const Launch& launch, ObjectId object) {
  return byteCount(program, launch, object) / sizeInMemory(program.objects[object].element);
}

}  // namespace haloscope
