#include "machine/KernelShape.h"

#include "program/RealBits.h"

namespace haloscope::machine {

KernelShape shapeOf(const Program& program, const Launch& launch) {
  KernelShape shape{.configuration = launch.configuration,
                    .arguments = launch.arguments,
                    .offsets = launch.offsets,
                    .objectBytes = {}};
  for (std::size_t i = 0; i < program.parameters.size(); ++i) {
    if (program.parameters[i].object != kNone) { shape.arguments[i] = 0; }  // says nothing
  }
  for (std::size_t i = 0; i < program.objects.size(); ++i) {
    const MemoryObject& object = program.objects[i];
    const bool given = (object.space == MemorySpace::Global || object.space == MemorySpace::Constant) &&
                       !(object.space == MemorySpace::Constant && launch.arrays[i].bytes.empty());
    const bool dynamic = object.space == MemorySpace::Shared && object.extentsAtLaunch;
    shape.objectBytes.push_back(
        given ? launch.arrays[i].bytes.size()
              : static_cast<std::uint64_t>(dynamic ? launch.configuration.dynamicSharedBytes : object.byteCount()));
  }
  return shape;
}

std::uint64_t argumentBits(const Parameter& parameter, const KernelShape& launch, std::size_t place) {
  if (parameter.object == kNone) { return registerBits(parameter.type, launch.arguments.at(place)); }
  if (launch.offsets.empty()) { return PackedPointer::pack(parameter.object, 0); }
  const std::optional<std::int64_t>& offset = launch.offsets.at(place);
  return offset ? PackedPointer::pack(parameter.object, *offset) : PackedPointer::kNull;
}

}  // namespace haloscope::machine
