#include "analysis/ElementName.h"

#include "language/Text.h"

namespace haloscope::analysis {

std::string elementName(const Program& program, ObjectId object, std::int64_t index) {
  if (object >= program.objects.size()) { return tr("a pointer that points to no array"); }
  const MemoryObject& array = program.objects[object];
  if (array.structBytes != 0 && index >= 0) {
    const std::int64_t byte = index * sizeInMemory(array.element);
    const std::int64_t inside = byte % array.structBytes;
    std::string name = array.name;
    if (array.extentsAtLaunch || array.byteCount() > array.structBytes) {
      name += '[' + std::to_string(byte / array.structBytes) + ']';
    }
    for (const StructMember& member : array.members) {
      if (member.byteOffset <= inside && inside < member.byteOffset + sizeInMemory(member.type)) {
        return name + member.name;
      }
    }
    return name;
  }
  if (array.extents.empty() && !array.extentsAtLaunch && index == 0) { return array.name; }
  const bool inside = index >= 0 && index < array.elementCount();
  if (array.extentsAtLaunch || array.extents.size() < 2 || !inside) {
    return array.name + '[' + std::to_string(index) + ']';
  }
  std::string subscripts;
  std::int64_t rest = index;
  for (std::size_t axis = array.extents.size(); axis-- > 0;) {
    subscripts.insert(0, '[' + std::to_string(rest % array.extents[axis]) + ']');
    rest /= array.extents[axis];
  }
  return array.name + subscripts;
}

}  // namespace haloscope::analysis
