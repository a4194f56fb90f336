#include "opening/HostLaunch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "opening/ArrayShapes.h"
#include "opening/LaunchCandidates.h"

namespace haloscope::opening {

namespace {

/// The difference between the stated size and the smaller one that is checked as well.
constexpr std::int64_t kShorter = 3;

std::int64_t elementsAt(const ArrayDeclaration& array, const Bindings& bindings) {
  std::int64_t count = 1;
  for (const Expression& extent : array.shape) { count *= extent.evaluateInteger(bindings); }
  return count;
}

/// Whether the host passes nothing else that follows from this size, and its arrays are as long as the proposed ones.
bool changesOnlyItself(const LaunchDraft& draft, const SizeParameter& size, const std::string& hostName) {
  HostCode::Given changed = draft.known;
  changed[hostName] = changed[size.name] = size.defaultValue - kShorter;
  Bindings shorter = draft.file.defaults();
  shorter[size.name] = size.defaultValue - kShorter;
  for (const Parameter& parameter : draft.program.parameters) {
    if (parameter.object != kNone) {
      const auto array = std::ranges::find(draft.file.arrays, parameter.name, &ArrayDeclaration::name);
      const auto allocated = allocatedElements(draft, parameter, changed);
      if (array != draft.file.arrays.end() && allocated && elementsAt(*array, shorter) != *allocated) { return false; }
    }
    if (parameter.type == ValueType::Pointer || parameter.name == size.name) { continue; }
    if (draft.passedNumber(parameter, draft.known) != draft.passedNumber(parameter, changed)) { return false; }
  }
  return true;
}

/// A grid that is rounded up is meant for sizes that the block does not divide as well: if it divides the stated one,
/// another is worth checking.
void otherSizes(LaunchDraft& draft) {
  if (draft.clues.overrides.grid) { return; }
  for (const SizeParameter& size : draft.file.sizes) {
    const auto host = draft.hostNames.find(size.name);
    if (host == draft.hostNames.end() || draft.clues.overrides.bindings.contains(size.name) ||
        draft.clues.code.isMacro(host->second) || size.defaultValue <= 2 * kShorter ||
        draft.reduced.contains(size.name)) {
      continue;
    }
    const std::string begin = "ceil(" + size.name + " / ";
    const bool divided = std::ranges::any_of(draft.file.grid, [&](const Expression& one) {
      return one.text().starts_with(begin) && size.defaultValue % std::stoll(one.text().substr(begin.size())) == 0;
    });
    if (divided && changesOnlyItself(draft, size, host->second)) {
      draft.file.otherSizes[size.name] = size.defaultValue - kShorter;
    }
  }
}

/// "ceil(N / 14)" if the host's grid depends on a size in this way; otherwise the number of blocks.
std::string gridExpression(const LaunchDraft& draft, std::size_t axis, std::int64_t now) {
  for (const SizeParameter& size : draft.file.sizes) {
    const auto host = draft.hostNames.find(size.name);
    if (host == draft.hostNames.end()) { continue; }
    std::vector<std::pair<std::int64_t, std::int64_t>> samples;
    for (const std::int64_t n :
         {size.defaultValue, size.defaultValue + 1, 2 * size.defaultValue + 3, 5 * size.defaultValue + 7,
          std::int64_t{9973}, std::int64_t{1'000'003}, std::int64_t{1}}) {
      HostCode::Given given = draft.known;
      given[host->second] = n;
      const auto grid =
          draft.clues.code.dimensions(draft.call->configuration[0], draft.clues.code.withArguments(*draft.call, given));
      if (grid) { samples.emplace_back(n, (*grid)[axis]); }
    }
    const bool grows = std::ranges::any_of(samples, [&](const auto& s) { return s.second != now; });
    if (samples.size() < 3 || !grows) { continue; }
    for (std::int64_t step = 1; step <= 4096; ++step) {
      const bool fits =
          std::ranges::all_of(samples, [&](const auto& s) { return s.second == (s.first + step - 1) / step; });
      if (fits) { return step == 1 ? size.name : fmt::format("ceil({} / {})", size.name, step); }
    }
  }
  return std::to_string(now);
}

}  // namespace

bool readHostLaunch(LaunchDraft& draft) {
  const HostCode::Given known = draft.clues.code.withArguments(*draft.call, draft.known);
  const auto grid = draft.clues.code.dimensions(draft.call->configuration[0], known);
  const auto block = draft.clues.code.dimensions(draft.call->configuration[1], known);
  if (!grid || !block) { return false; }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    draft.file.grid[axis] = Expression(gridExpression(draft, axis, (*grid)[axis]));
    draft.file.block[axis] = Expression(std::to_string((*block)[axis]));
  }
  if (draft.call->configuration.size() > 2) {
    if (const auto bytes = draft.clues.code.integer(draft.call->configuration[2], known)) {
      draft.file.dynamicSharedBytes = Expression(std::to_string(*bytes));
    }
  }
  shapeForLaunch(draft);
  otherSizes(draft);
  return true;
}

}  // namespace haloscope::opening
