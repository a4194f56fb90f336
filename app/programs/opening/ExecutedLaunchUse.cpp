#include "opening/ExecutedLaunchUse.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "opening/ArrayShapes.h"
#include "opening/LaunchCandidates.h"

namespace haloscope::opening {

namespace {

std::int64_t along(const Dim3& dim, std::size_t axis) { return axis == 0 ? dim.x : axis == 1 ? dim.y : dim.z; }

/// "ceil(N / 14)", or the number of blocks.
std::string gridExpression(const LaunchDraft& draft, std::size_t axis) {
  const std::int64_t blocks = along(draft.clues.executed->configuration.grid, axis);
  for (std::size_t i = 0; i < draft.file.sizes.size(); ++i) {
    const SizeParameter& size = draft.file.sizes[i];
    if (draft.axes[i] != 3 && draft.axes[i] != static_cast<int>(axis)) { continue; }
    const auto passed = draft.clues.executed->scalars.find(size.name);
    if (passed == draft.clues.executed->scalars.end()) { continue; }
    if (const auto step = executedGrid(draft, axis, static_cast<std::int64_t>(passed->second))) {
      return *step == 1 ? size.name : fmt::format("ceil({} / {})", size.name, *step);
    }
  }
  return std::to_string(blocks);
}

/// An array may be longer than what the launch uses of it. What the kernel computes is known by the part that it uses:
/// that is its shape, if the launch stays within.
void useExtents(LaunchDraft& draft) {
  if (draft.file.sizes.empty()) { return; }
  std::vector<Expression> extents;
  std::int64_t points = 1;
  for (int axis = draft.rank - 1; axis >= 0; --axis) {
    extents.emplace_back(draft.extent(axis));
    points *= draft.value(draft.extent(axis));
  }
  const std::vector<ArrayDeclaration> asAllocated = draft.file.arrays;
  for (ArrayDeclaration& array : draft.file.arrays) {
    const bool weights = draft.isWeights(draft.program.findObject(array.name));
    if (!weights && array.shape != extents && draft.elementsOf(array.name) > points) { array.shape = extents; }
  }
  if (draft.file.arrays != asAllocated && !draft.tryLaunch().clean) { draft.file.arrays = asAllocated; }
}

}  // namespace

std::optional<std::int64_t> executedGrid(const LaunchDraft& draft, std::size_t axis, std::int64_t extent) {
  const LaunchConfiguration& launched = draft.clues.executed->configuration;
  const std::int64_t blocks = along(launched.grid, axis);
  if (blocks <= 1) { return std::nullopt; }
  const std::int64_t step = draft.strides[axis].value_or(along(launched.block, axis));
  if (step < 1 || (extent + step - 1) / step != blocks) { return std::nullopt; }
  return step;
}

bool coversOtherPoints(const LaunchDraft& draft, std::size_t axis) {
  constexpr double kMany = 2;
  const LaunchConfiguration& launched = draft.clues.executed->configuration;
  const std::int64_t blocks = along(launched.grid, axis);
  if (!draft.facts.axes[axis] || blocks <= 1) { return false; }
  const auto covered = static_cast<double>(blocks * draft.strides[axis].value_or(along(launched.block, axis)));
  return std::ranges::none_of(draft.program.parameters, [&](const Parameter& parameter) {
    const auto of = draft.axisAlong(parameter);
    const auto value = draft.passedNumber(parameter);
    return of && value && (*of == 3 || *of == static_cast<int>(axis)) && covered < kMany * *value;
  });
}

void useExecutedLaunch(LaunchDraft& draft) {
  const LaunchConfiguration& launched = draft.clues.executed->configuration;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    draft.file.grid[axis] = Expression(gridExpression(draft, axis));
    draft.file.block[axis] = Expression(std::to_string(along(launched.block, axis)));
  }
  if (launched.dynamicSharedBytes > 0) {
    draft.file.dynamicSharedBytes = Expression(std::to_string(launched.dynamicSharedBytes));
  }
  draft.file.cooperative = launched.cooperative;
  draft.file.cluster = launched.cluster;
  shapeForLaunch(draft);
  useExtents(draft);
}

}  // namespace haloscope::opening
