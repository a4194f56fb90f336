#include "provenance/LaunchRanges.h"

#include "program/RealBits.h"

namespace haloscope::provenance {

Interval constantRange(ValueType type, std::uint64_t bits) {
  const std::uint64_t value = integerOf(type, bits);
  const std::int64_t exact = isSigned(type) ? static_cast<std::int64_t>(value) : clamped(Wide{value});
  return {clamped(exact), clamped(exact)};
}

Interval rangeAtLaunch(const Register& reg, const LaunchConfiguration& configuration) {
  if (reg.kind == RegisterKind::Constant) { return constantRange(reg.type, reg.bits); }
  if (reg.kind != RegisterKind::Builtin) { return rangeOf(reg.type); }
  const Dim3& grid = configuration.grid;
  const Dim3& block = configuration.block;
  const std::size_t component = componentOf(reg.builtin);
  const auto upTo = [&](const Dim3& count) { return Interval{0, std::int64_t{count.component(component)} - 1}; };
  const auto exactly = [&](const Dim3& count) {
    return Interval{count.component(component), count.component(component)};
  };
  switch (vectorOf(reg.builtin)) {
    case Builtin::ThreadIdxX:
      return upTo(block);
    case Builtin::BlockIdxX:
      return upTo(grid);
    case Builtin::BlockDimX:
      return exactly(block);
    case Builtin::GridDimX:
      return exactly(grid);
    default:
      return {1, static_cast<std::int64_t>(kMaxRaisedClusterBlocks)};
  }
}

}  // namespace haloscope::provenance
