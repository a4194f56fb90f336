#include "provenance/LaunchRanges.h"

namespace haloscope::provenance {

Interval constantRange(ValueType type, std::uint64_t bits) {
  std::int64_t value = 0;
  switch (type) {
    case ValueType::I64:
      value = static_cast<std::int64_t>(bits);
      break;
    case ValueType::U64:
      value = clamped(Wide{bits});
      break;
    case ValueType::U32:
    case ValueType::U16:
    case ValueType::U8:
    case ValueType::Bool:
      value = static_cast<std::uint32_t>(bits);
      break;
    default:
      value = static_cast<std::int32_t>(static_cast<std::uint32_t>(bits));
      break;
  }
  return {clamped(value), clamped(value)};
}

Interval rangeAtLaunch(const Register& reg, const LaunchConfiguration& configuration) {
  if (reg.kind == RegisterKind::Constant) { return constantRange(reg.type, reg.bits); }
  if (reg.kind != RegisterKind::Builtin) { return rangeOf(reg.type); }
  const Dim3& grid = configuration.grid;
  const Dim3& block = configuration.block;
  const auto upTo = [](std::uint32_t count) { return Interval{0, std::int64_t{count} - 1}; };
  const auto exactly = [](std::uint32_t count) { return Interval{count, count}; };
  switch (reg.builtin) {
    case Builtin::ThreadIdxX:
      return upTo(block.x);
    case Builtin::ThreadIdxY:
      return upTo(block.y);
    case Builtin::ThreadIdxZ:
      return upTo(block.z);
    case Builtin::BlockIdxX:
      return upTo(grid.x);
    case Builtin::BlockIdxY:
      return upTo(grid.y);
    case Builtin::BlockIdxZ:
      return upTo(grid.z);
    case Builtin::BlockDimX:
      return exactly(block.x);
    case Builtin::BlockDimY:
      return exactly(block.y);
    case Builtin::BlockDimZ:
      return exactly(block.z);
    case Builtin::GridDimX:
      return exactly(grid.x);
    case Builtin::GridDimY:
      return exactly(grid.y);
    case Builtin::GridDimZ:
      return exactly(grid.z);
    case Builtin::ClusterDimX:
    case Builtin::ClusterDimY:
    case Builtin::ClusterDimZ:
      return {1, static_cast<std::int64_t>(kMaxRaisedClusterBlocks)};
  }
  return rangeOf(reg.type);
}

}  // namespace haloscope::provenance
