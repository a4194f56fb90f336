#include "provenance/Granules.h"

#include <algorithm>
#include <bit>

#include "program/ObjectSize.h"

namespace haloscope::provenance {

Granules::Granules(const Program& program, const Launch& launch) : objects_(program.objects.size()) {
  constexpr int kLargest = 8;
  std::vector<int> smallest(objects_.size(), kLargest);
  int unknown = kLargest;
  for (const Instruction& code : program.code) {
    if (!isAccess(code.op)) { continue; }
    int& bytes = code.aux == kNone ? unknown : smallest[code.aux];
    bytes = std::min(bytes, sizeInMemory(code.type));
  }
  for (ObjectId id = 0; id < objects_.size(); ++id) {
    OfObject& object = objects_[id];
    const int bytes = std::min(smallest[id], unknown);
    object.shift = std::countr_zero(static_cast<unsigned>(bytes));
    object.elementBytes = sizeInMemory(program.objects[id].element);
    object.count = (byteCount(program, launch, id) + bytes - 1) / bytes;
  }
}

}  // namespace haloscope::provenance
