#include "checking/ResizedLaunches.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>
#include <utility>

#include "experiment/InputData.h"

namespace haloscope::checking {

namespace {

constexpr std::uint64_t kMostThreads = std::uint64_t{1} << 26;

/// The axes along which blocks differ.
std::array<bool, 3> blockAxes(const Program& program) {
  std::array<bool, 3> axes{};
  for (const Register& one : program.registers) {
    if (one.kind != RegisterKind::Builtin) { continue; }
    axes[0] = axes[0] || one.builtin == Builtin::BlockIdxX;
    axes[1] = axes[1] || one.builtin == Builtin::BlockIdxY;
    axes[2] = axes[2] || one.builtin == Builtin::BlockIdxZ;
  }
  return axes;
}

std::array<std::uint32_t*, 3> sidesOf(Dim3& dim) { return {&dim.x, &dim.y, &dim.z}; }

/// The same launch with more blocks along each axis that has no more than before, or with more threads where blocks do
/// not differ. None where none can be added.
std::optional<LaunchConfiguration> enlarged(const Program& program, LaunchConfiguration now, LaunchConfiguration before,
                                            double ratio) {
  const std::array<bool, 3> axes = blockAxes(program);
  const bool inBlocks = std::ranges::find(axes, true) != axes.end();
  Dim3& changed = inBlocks ? now.grid : now.block;
  const auto sides = sidesOf(changed);
  const auto old = sidesOf(inBlocks ? before.grid : before.block);
  bool any = false;
  for (std::size_t axis = 0; axis < sides.size(); ++axis) {
    const bool counts = inBlocks ? axes.at(axis) : *old.at(axis) > 1;
    if (!counts || *sides.at(axis) > *old.at(axis)) { continue; }
    *sides.at(axis) = static_cast<std::uint32_t>(std::ceil(ratio * *old.at(axis)));
    any = true;
  }
  const bool possible = now.block.count() <= kMaxThreadsPerBlock && now.block.z <= kMaxBlockZ &&
                        now.grid.count() * now.block.count() <= kMostThreads;
  return any && possible ? std::optional(now) : std::nullopt;
}

}  // namespace

std::int64_t integerArgument(const SiblingRunner& runner, std::size_t scalar) {
  const std::size_t argument = runner.scalars.at(scalar);
  ArrayData bits{
      .element = runner.program().parameters[argument].type, .extents = {1}, .bytes = std::vector<std::byte>(8)};
  std::memcpy(bits.bytes.data(), &runner.launch.arguments[argument], bits.bytes.size());
  return static_cast<std::int64_t>(experiment::valueAt(bits, 0));
}

std::uint64_t bitsOf(std::int64_t value, ValueType type) {
  ArrayData bits{.element = type, .extents = {1}, .bytes = std::vector<std::byte>(8)};
  experiment::setValue(bits, 0, static_cast<double>(value));
  std::uint64_t all = 0;
  std::memcpy(&all, bits.bytes.data(), sizeof all);
  return all;
}

std::vector<SiblingRunner> resizedLaunches(const Sibling& kernel, const SiblingRunner& own,
                                           const std::map<std::size_t, std::int64_t>& integers) {
  const std::optional<SiblingRunner> before = runnerOf(kernel, kernel.bindings);
  if (!before || before->scalars.size() != own.scalars.size()) { return {}; }
  Bindings bindings = kernel.bindings;
  double ratio = 1;
  for (const auto& [scalar, value] : integers) {
    const std::string& name = before->program().parameters[before->scalars.at(scalar)].name;
    const std::int64_t old = integerArgument(*before, scalar);
    if (old > 0) { ratio = std::max(ratio, static_cast<double>(value) / static_cast<double>(old)); }
    if (kernel.file->findSize(name) != nullptr) { bindings[name] = value; }
  }
  std::optional<SiblingRunner> runner = runnerOf(kernel, bindings);
  if (!runner) { return {}; }
  for (std::size_t i = 0; i < runner->scalars.size(); ++i) {
    const std::size_t argument = runner->scalars[i];
    const auto given = integers.find(i);
    runner->launch.arguments[argument] = given == integers.end()
                                             ? own.launch.arguments[own.scalars[i]]
                                             : bitsOf(given->second, runner->program().parameters[argument].type);
  }
  // What does not depend on the sizes, such as a filter, stays.
  for (std::size_t i = 0; i < runner->arrays.size() && i < own.arrays.size(); ++i) {
    ArrayData& array = runner->launch.arrays[runner->arrays[i]];
    const ArrayData& known = own.launch.arrays[own.arrays[i]];
    if (array.bytes.size() == known.bytes.size()) { array.bytes = known.bytes; }
  }
  std::vector<SiblingRunner> launches{*runner};
  if (ratio > 1) {
    if (auto more = enlarged(runner->program(), runner->launch.configuration, before->launch.configuration, ratio)) {
      runner->launch.configuration = *more;
      launches.push_back(std::move(*runner));
    }
  }
  return launches;
}

}  // namespace haloscope::checking
