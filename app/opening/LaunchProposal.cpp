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

#include "opening/ExecutedLaunchUse.h"
#include "opening/HostLaunch.h"
#include "opening/LaunchCandidates.h"
#include "opening/LaunchDraft.h"
#include "opening/ParameterRoles.h"
#include "opening/Recognition.h"

namespace haloscope::opening {

namespace {

/// The arguments between < and >.
std::vector<std::string> templateArguments(const std::string& instance) {
  std::vector<std::string> parts;
  const std::size_t open = instance.find('<');
  if (open == std::string::npos) { return parts; }
  std::string part;
  for (const char c : instance.substr(open + 1)) {
    if (c == ',' || c == '>') { parts.push_back(std::exchange(part, {})); }
    if (c != ',' && c != '>' && c != ' ') { part += c; }
  }
  return parts;
}

/// Whether a launch is of this instance of a template, as far as can be determined: `sweep<R>` is `sweep<2>` if R is 2.
bool isOfInstance(const HostCode& code, const HostCode::LaunchCall& call, const std::string& kernel) {
  const std::vector<std::string> wanted = templateArguments(kernel);
  const std::vector<std::string> given = templateArguments(call.instance);
  for (std::size_t i = 0; i < std::min(wanted.size(), given.size()); ++i) {
    const auto value = code.integer(tokensOf(given[i]));
    const bool same = given[i] == wanted[i] || (value && std::to_string(*value) == wanted[i]);
    if (!same) { return false; }
  }
  return true;
}

/// The first launch of this instance of the kernel, otherwise of the kernel.
void findCall(LaunchDraft& draft) {
  if (draft.clues.executed != nullptr) { return; }
  for (const HostCode::LaunchCall& one : draft.clues.code.launches()) {
    if (one.kernel != draft.clues.functionName) { continue; }
    const bool exact = isOfInstance(draft.clues.code, one, draft.file.kernel);
    if (draft.call == nullptr || exact) { draft.call = &one; }
    if (exact) { return; }
  }
}

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

std::int64_t largestOpened(const LaunchDraft& draft) { return draft.rank == 1 ? 65536 : (draft.rank == 2 ? 256 : 48); }

std::optional<std::int64_t> passedInteger(const LaunchDraft& draft, const Parameter& parameter) {
  const auto value = draft.passedNumber(parameter, draft.known);
  if (!value || *value != std::floor(*value) || std::abs(*value) > 1e15) { return std::nullopt; }
  return static_cast<std::int64_t>(*value);
}

/// The host's name of the argument for a parameter; empty if it is not a variable.
std::string hostName(const LaunchDraft& draft, const Parameter& parameter) {
  const HostCode::Tokens* passed = draft.argument(parameter);
  if (passed == nullptr || passed->size() != 1 || std::isalpha(static_cast<unsigned char>(passed->front()[0])) == 0) {
    return {};
  }
  const std::string path = LaunchDraft::pathOf(parameter);
  return draft.clues.code.calledWith(*draft.call, passed->front()) + (path.empty() ? "" : "." + path);
}

std::optional<std::int64_t> integerOf(const std::string& text) {
  return HostCode("int given = " + text + ";").integer({"given"});
}

/// Whether the launch is known at another size, too. An executed one is a number of blocks: it follows a size if the
/// kernel's own index says how many points a block covers.
bool canBeReduced(const LaunchDraft& draft, int axis, std::int64_t value) {
  if (draft.clues.executed == nullptr) { return true; }
  for (std::size_t along = 0; along < 3; ++along) {
    if (axis != 3 && static_cast<int>(along) != axis) { continue; }
    if (!executedGrid(draft, along, value) && draft.facts.axes[along]) { return false; }
  }
  return true;
}

void size(LaunchDraft& draft, const Parameter& parameter, int axis, const std::string* given) {
  SizeParameter size{.name = parameter.name,
                     .defaultValue = isChannels(parameter.name) ? 3 : draft.usualSize(axis == 3 ? 0 : axis),
                     .minimum = 1,
                     .maximum = draft.rank == 3 ? 512 : (draft.rank == 2 ? 16384 : 1 << 24),
                     .meaning = axis == 3 ? "points along an axis" : "points along this axis"};
  if (draft.rank == 3 && axis == 3) { size.defaultValue = 21; }
  if (given != nullptr) {
    const auto value = integerOf(*given);
    if (!value || *value < 1) {
      throw InputError(
          fmt::format("{} = {} is not a size: an integer of at least 1 is needed", parameter.name, *given));
    }
    size.defaultValue = *value;
  } else if (const auto value = passedInteger(draft, parameter); value && *value > 0) {
    const bool reduced = *value > largestOpened(draft) && canBeReduced(draft, axis, *value);
    size.defaultValue = reduced ? largestOpened(draft) : *value;
    if (reduced) {
      draft.reduced.insert(parameter.name);
      draft.assume(
          fmt::format("The host launches with {} = {}; it is opened at {} = {}, which is quicker to step through.",
                      parameter.name, *value, parameter.name, size.defaultValue));
    }
  } else {
    draft.assume(
        fmt::format("{} is taken as {}: the text does not say how large it is.", parameter.name, size.defaultValue));
  }
  size.maximum = std::max(size.maximum, size.defaultValue);
  draft.known[parameter.name] = size.defaultValue;
  if (const std::string name = hostName(draft, parameter); !name.empty()) {
    draft.known[name] = size.defaultValue;
    draft.hostNames[parameter.name] = name;
    if (draft.clues.code.isMacro(name) && !draft.clues.overrides.defines.contains(name) && name != parameter.name) {
      draft.file.macros[name] = std::to_string(size.defaultValue);  // the kernel may use the macro itself
    }
  }
  draft.file.sizes.push_back(size);
  draft.axes.push_back(axis);
}

void scalar(LaunchDraft& draft, const Parameter& parameter) {
  const auto value = draft.passedNumber(parameter, draft.known);
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
  const HostCode::Tokens* passed = draft.argument(parameter);
  if (passed != nullptr && passed->size() == 1 && !isFloating(parameter.type)) {
    draft.known.try_emplace(passed->front(), static_cast<std::int64_t>(chosen));
  }
  draft.assume(fmt::format("{} is taken as {}: the text does not give its value.", parameter.name, chosen));
}

/// A number given by the user replaces the host's variable as well, so that the grid and the arrays follow it.
void bound(LaunchDraft& draft, const Parameter& parameter, const std::string& given) {
  draft.file.arguments[parameter.name] = Expression(given);
  const auto value = isFloating(parameter.type) ? std::nullopt : integerOf(given);
  if (!value) { return; }
  draft.numbers[parameter.name] = static_cast<double>(*value);
  draft.known[parameter.name] = *value;
  if (const std::string name = hostName(draft, parameter); !name.empty()) { draft.known[name] = *value; }
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

/// Here each parameter has its own array, whatever the host passes.
void describeAliasedArguments(LaunchDraft& draft) {
  if (draft.call == nullptr) { return; }
  std::map<std::string, std::string> parameterOf;  // by the host's name of the array
  for (const Parameter& parameter : draft.program.parameters) {
    const HostCode::Tokens* passed = parameter.object != kNone ? draft.argument(parameter) : nullptr;
    const auto array = passed != nullptr ? draft.clues.code.passedArray(*draft.call, *passed) : std::nullopt;
    if (!array || !LaunchDraft::pathOf(parameter).empty()) { continue; }
    if (const auto [first, isNew] = parameterOf.try_emplace(array->name, parameter.name); !isNew) {
      draft.assume(
          fmt::format("The host passes {0} for both {1} and {2}. Here they are two arrays: a race in which one thread "
                      "reads through "
                      "{1} what another writes through {2} is not found.",
                      array->name, first->second, parameter.name));
    }
    if (!array->offset.empty()) {
      draft.assume(fmt::format("The host passes {} with an offset; here {} begins with its first element.", array->name,
                               parameter.name));
    }
  }
}

void launch(LaunchDraft& draft) {
  if (draft.clues.executed != nullptr) { return useExecutedLaunch(draft); }
  if (draft.call != nullptr && readHostLaunch(draft)) { return; }
  if (draft.call != nullptr) {
    draft.assume("The host's launch depends on values that are only known at run time, so another one is proposed.");
  }
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
  findCall(draft);
  findRank(draft);
  scalars(draft);
  launch(draft);
  overrideLaunch(draft);
  describeAliasedArguments(draft);
  recognise(draft);
  describeArrayContents(draft);
}

}  // namespace haloscope::opening
