#include "analysis/Granules.h"

#include <algorithm>

#include "analysis/ObjectSize.h"

namespace haloscope::analysis {

Granules::Granules(const Program& program, const Launch& launch) : objects_(program.objects.size()) {
  constexpr int kLargest = 8;
  for (OfObject& object : objects_) { object.bytes = kLargest; }
  int unknown = kLargest;
  for (const Instruction& code : program.code) {
    if (code.op != Opcode::Load && code.op != Opcode::Store && code.op != Opcode::AtomicAdd) { continue; }
    int& bytes = code.aux == kNone ? unknown : objects_[code.aux].bytes;
    bytes = std::min(bytes, sizeInMemory(code.type));
  }
  for (ObjectId id = 0; id < objects_.size(); ++id) {
    OfObject& object = objects_[id];
    object.bytes = std::min(object.bytes, unknown);
    object.elementBytes = sizeInMemory(program.objects[id].element);
    object.count = (byteCount(program, launch, id) + object.bytes - 1) / object.bytes;
  }
}

}  // namespace haloscope::analysis
