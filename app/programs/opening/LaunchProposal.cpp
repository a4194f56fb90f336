#include "opening/LaunchProposal.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "language/Text.h"
#include "opening/ArrayReach.h"
#include "opening/ExecutedLaunchUse.h"
#include "opening/LaunchCandidates.h"
#include "opening/LaunchDraft.h"
#include "opening/ParameterRoles.h"
#include "opening/Recognition.h"

namespace haloscope::opening {

namespace {

void findRank(LaunchDraft& draft) {
  std::set<int> axes;
  for (const Parameter& parameter : draft.program.parameters) {
    const auto axis = draft.axisAlong(parameter);
    if (axis && *axis < 3) { axes.insert(*axis); }
  }
  const int used = draft.facts.axes[2] ? 3 : (draft.facts.axes[1] ? 2 : 1);
  draft.rank = std::max(used, static_cast<int>(axes.size()));
  if (axes.contains(2)) { draft.rank = 3; }
}

/// The size at which a kernel is opened that the program launches with this one: a much larger one takes too long to
/// step through. What the size leaves of whole tiles stays the same, for most tiles.
std::int64_t openedSize(const LaunchDraft& draft, std::int64_t value) {
  const std::int64_t most = draft.rank == 1 ? 65536 : (draft.rank == 2 ? 256 : 48);
  const std::int64_t tile = draft.rank == 1 ? 1024 : (draft.rank == 2 ? 64 : 16);
  return value <= most + most / 2 ? value : most - (tile - value % tile) % tile;
}

std::optional<std::int64_t> passedInteger(const LaunchDraft& draft, const Parameter& parameter) {
  const auto value = draft.passedNumber(parameter);
  if (!value || *value != std::floor(*value) || std::abs(*value) > 1e15) { return std::nullopt; }
  return static_cast<std::int64_t>(*value);
}

/// Whether the launch is known at another size, too. An executed one is a number of blocks: it follows a size if the
/// kernel's own index says how many points a block covers.
bool canBeReduced(const LaunchDraft& draft, int axis, std::int64_t value) {
  if (draft.clues.executed == nullptr) { return true; }
  for (std::size_t along = 0; along < 3; ++along) {
    if (coversOtherPoints(draft, along)) { return false; }
    if (axis != 3 && static_cast<int>(along) != axis) { continue; }
    if (!executedGrid(draft, along, value) && draft.facts.axes[along]) { return false; }
  }
  return true;
}

/// A macro that has the size's value is the size: the kernel may use either.
void followMacros(LaunchDraft& draft, std::int64_t from, std::int64_t to) {
  for (const auto& [name, value] : draft.constants) {
    const bool given = draft.clues.overrides.defines.contains(name);
    if (value == from && draft.clues.names.isMacro(name) && !given) { draft.file.macros[name] = std::to_string(to); }
  }
}

void size(LaunchDraft& draft, const Parameter& parameter, int axis, const std::string* given) {
  SizeParameter size{.name = parameter.name,
                     .defaultValue = isChannels(parameter.name) ? 3 : draft.usualSize(axis == 3 ? 0 : axis),
                     .minimum = 1,
                     .maximum = draft.rank == 3 ? 512 : (draft.rank == 2 ? 16384 : 1 << 24),
                     .meaning = axis == 3 ? tr("points along an axis") : tr("points along this axis")};
  if (draft.rank == 3 && axis == 3) { size.defaultValue = 21; }
  if (given != nullptr) {
    size.defaultValue = Expression(*given).evaluateInteger(draft.constants);
    if (size.defaultValue < 1) {
      throw InputError(trf("{} = {} is not a size: an integer of at least 1 is needed", parameter.name, *given));
    }
  } else if (const auto value = passedInteger(draft, parameter); value && *value > 0) {
    const bool reduced = openedSize(draft, *value) != *value && canBeReduced(draft, axis, *value);
    size.defaultValue = reduced ? openedSize(draft, *value) : *value;
    if (reduced) {
      followMacros(draft, *value, size.defaultValue);
      draft.assume(trf("The program launches with {} = {}; it is opened at {} = {}, which is quicker to step through.",
                       parameter.name, *value, parameter.name, size.defaultValue));
    }
  } else {
    draft.assume(trf("{} is taken as {}: the text does not say how large it is.", parameter.name, size.defaultValue));
  }
  size.maximum = std::max(size.maximum, size.defaultValue);
  draft.file.sizes.push_back(size);
  draft.axes.push_back(axis);
}

void scalar(LaunchDraft& draft, const Parameter& parameter) {
  const auto value = draft.passedNumber(parameter);
  if (value) {
    draft.file.arguments[parameter.name] = Expression(fmt::format("{}", *value));
    draft.numbers[parameter.name] = *value;
    return;
  }
  double chosen = 1;
  if (isFloating(parameter.type)) {
    chosen = static_cast<double>(10 + 5 * draft.file.arguments.size()) / 100;  // as it is printed: 0.15, not 0.1 + 0.05
  } else if (isFilterWidth(parameter.name)) {
    chosen = 3;
  }
  draft.file.arguments[parameter.name] = Expression(fmt::format("{}", chosen));
  draft.numbers[parameter.name] = chosen;
  draft.assume(trf("{} is taken as {}: the text does not give its value.", parameter.name, chosen));
}

void bound(LaunchDraft& draft, const Parameter& parameter, const std::string& given) {
  draft.file.arguments[parameter.name] = Expression(given);
  if (isFloating(parameter.type)) { return; }
  draft.numbers[parameter.name] = static_cast<double>(Expression(given).evaluateInteger(draft.constants));
}

void scalars(LaunchDraft& draft) {
  for (const Parameter& parameter : draft.program.parameters) {
    if (parameter.type == ValueType::Pointer) { continue; }
    const auto given = draft.clues.overrides.bindings.find(parameter.name);
    if (const auto axis = draft.axisAlong(parameter)) {
      size(draft, parameter, *axis, given == draft.clues.overrides.bindings.end() ? nullptr : &given->second);
    } else if (given != draft.clues.overrides.bindings.end()) {
      bound(draft, parameter, given->second);
    } else {
      scalar(draft, parameter);
    }
  }
}

void launch(LaunchDraft& draft) {
  if (draft.clues.executed != nullptr) { return useExecutedLaunch(draft); }
  proposeByTrial(draft);
}

void overrideLaunch(LaunchDraft& draft) {
  const auto set = [](std::array<Expression, 3>& to, const Dim3& from) {
    to = {Expression(std::to_string(from.x)), Expression(std::to_string(from.y)), Expression(std::to_string(from.z))};
  };
  if (draft.clues.overrides.grid) { set(draft.file.grid, *draft.clues.overrides.grid); }
  if (draft.clues.overrides.block) { set(draft.file.block, *draft.clues.overrides.block); }
  if (draft.clues.overrides.dynamicSharedBytes) {
    draft.file.dynamicSharedBytes = Expression(std::to_string(*draft.clues.overrides.dynamicSharedBytes));
  }
}

}  // namespace

void proposeLaunch(ProposedKernel& kernel, const Program& program, const LaunchClues& clues) {
  LaunchDraft draft(kernel, program, clues);
  findRank(draft);
  scalars(draft);
  launch(draft);
  overrideLaunch(draft);
  meetReach(draft);
  recognise(draft);
  describeArrayContents(draft);
}

}  // namespace haloscope::opening
