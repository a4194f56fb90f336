#include "SmallLaunch.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "program/SourceLocation.h"

namespace haloscope::fuzz {

namespace {

constexpr std::int64_t kElements = 96;        ///< of an array whose size is the launch's
constexpr std::int64_t kMostBytes = 1 << 20;  ///< of one whose size is its own

}  // namespace

Launch smallLaunch(const Program& program) {
  Launch launch;
  launch.configuration.grid = {2, 1, 1};
  launch.configuration.block = {kWarpSize + kWarpSize / 2, 1, 1};
  if (program.clusterDims[0] != 0) {
    launch.configuration.grid = {program.clusterDims[0], program.clusterDims[1], program.clusterDims[2]};
  } else if (usesClusters(program)) {
    launch.configuration.cluster = {2, 1, 1};
  }
  for (const Parameter& parameter : program.parameters) {
    launch.arguments.push_back(parameter.type == ValueType::F32 ? 0x40000000U : 7U);
  }
  for (const MemoryObject& object : program.objects) {
    ArrayData& array = launch.arrays.emplace_back();
    array.element = object.element;
    if (object.extentsAtLaunch && object.space == MemorySpace::Shared) {
      launch.configuration.dynamicSharedBytes = kElements * sizeInMemory(object.element);
    }
    if (object.space != MemorySpace::Global && object.space != MemorySpace::Constant) { continue; }
    array.extents = object.extentsAtLaunch ? std::vector<std::int64_t>{kElements} : object.extents;
    const std::int64_t bytes = array.elementCount() * sizeInMemory(object.element);
    if (bytes > kMostBytes) { throw InputError("an array is too large for this test"); }
    array.bytes.resize(static_cast<std::size_t>(bytes));
    for (std::size_t i = 0; i < array.bytes.size(); ++i) { array.bytes[i] = static_cast<std::byte>(i * 7); }
  }
  return launch;
}

}  // namespace haloscope::fuzz
