#include "opening/LaunchDraft.h"

#include <algorithm>
#include <utility>

#include "opening/BlockStride.h"
#include "opening/ParameterRoles.h"

namespace haloscope::opening {

LaunchDraft::LaunchDraft(ProposedKernel& proposed, const Program& lowered, const LaunchClues& given)
    : kernel(proposed),
      file(proposed.file),
      program(lowered),
      clues(given),
      facts(factsOf(lowered)),
      strides(blockStrides(lowered)),
      constants(given.constants) {
  for (const auto& [name, number] : file.defaults()) { constants[name] = number; }
  // A library function may use all three indices: only those that the text itself names count.
  facts.axes[1] = facts.axes[1] && given.names.mentions("y");
  facts.axes[2] = facts.axes[2] && given.names.mentions("z");
}

void LaunchDraft::assume(std::string sentence) { kernel.assumptions.push_back(std::move(sentence)); }

std::optional<double> LaunchDraft::passedNumber(const Parameter& parameter) const {
  if (clues.executed == nullptr) { return std::nullopt; }
  const auto value = clues.executed->scalars.find(parameter.name);
  return value == clues.executed->scalars.end() ? std::nullopt : std::optional(value->second);
}

bool LaunchDraft::isUpright(const Parameter& parameter) const {
  const auto has = [&](int axis) {
    return std::ranges::any_of(program.parameters, [axis](const Parameter& one) { return axisOf(one.name) == axis; });
  };
  return facts.axes[1] && !facts.axes[2] && !isChannels(parameter.name) && has(0) && !has(1) && !has(3);
}

std::optional<int> LaunchDraft::axisAlong(const Parameter& parameter) const {
  if (parameter.type == ValueType::Pointer || isFloating(parameter.type)) { return std::nullopt; }
  if (const auto axis = axisOf(parameter.name)) { return *axis == 2 && isUpright(parameter) ? 1 : axis; }
  const auto counts = [](const Parameter& one) {
    return one.type != ValueType::Pointer && !isFloating(one.type) && one.type != ValueType::Bool &&
           !isRadius(one.name) && !isFilterWidth(one.name);
  };
  const bool only = counts(parameter) && std::ranges::count_if(program.parameters, counts) == 1;
  const bool field = parameter.name.find('.') != std::string::npos;
  return only && !field && clues.executed == nullptr ? std::optional(3) : std::nullopt;
}

std::int64_t LaunchDraft::usualSize(int axis) const {
  if (rank == 1) { return 1000; }
  // Sizes that no common block size divides: only they reveal a missing guard.
  const bool picture = std::ranges::any_of(program.parameters, [](const auto& one) { return isChannels(one.name); });
  if (rank == 2 || (picture && axis < 2)) { return axis == 1 ? 53 : 67; }
  return axis == 0 ? 25 : (axis == 1 ? 23 : 21);
}

std::string LaunchDraft::extent(int axis) const {
  std::string all;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (axes[i] == axis) { return file.sizes[i].name; }
    if (axes[i] == 3 && all.empty()) { all = file.sizes[i].name; }
  }
  if (!all.empty()) { return all; }
  // A macro or constant of the text with the name of a size.
  for (const int wanted : {axis, 3}) {
    for (const auto& [name, value] : constants) {
      if (axisOf(name) == wanted && value > 0 && value <= (1 << 26)) {
        return file.findTunable(name) != nullptr ? name : std::to_string(value);
      }
    }
  }
  if (!axes.empty()) { return file.sizes.front().name; }
  return std::to_string(usualSize(axis));
}

std::int64_t LaunchDraft::value(const std::string& extent) const {
  return Expression(extent).evaluateInteger(file.defaults());
}

std::int64_t LaunchDraft::filterWidth() const {
  for (const auto& [name, number] : numbers) {
    if (isRadius(name) && number >= 0 && number <= 64) { return 2 * static_cast<std::int64_t>(number) + 1; }
    if (isFilterWidth(name) && number >= 1 && number <= 129) { return static_cast<std::int64_t>(number); }
  }
  for (const auto& [name, number] : constants) {
    if (isRadius(name) && number >= 0 && number <= 64) { return 2 * number + 1; }
  }
  for (const auto& [name, number] : constants) {
    if (isFilterWidth(name) && number >= 2 && number <= 129) { return number; }
  }
  return 3;
}

int LaunchDraft::readArrays() const {
  int count = 0;
  for (const Parameter& parameter : program.parameters) {
    count += parameter.object != kNone && !facts.written.contains(parameter.object) ? 1 : 0;
  }
  return count;
}

bool LaunchDraft::isWeights(ObjectId object) const {
  if (facts.written.contains(object) || readArrays() < 2 || !isFilter(program.objects[object].name)) { return false; }
  const auto reads = [&](const Parameter& one) { return one.object != kNone && !facts.written.contains(one.object); };
  const bool allFilters = std::ranges::all_of(program.parameters, [&](const Parameter& one) {
    return !reads(one) || isFilter(program.objects[one.object].name);
  });
  return !allFilters || std::ranges::find_if(program.parameters, reads)->object != object;
}

std::int64_t LaunchDraft::elementsOf(const std::string& name) const {
  const MemoryObject& object = program.objects[program.findObject(name)];
  if (object.space == MemorySpace::Constant) { return object.elementCount(); }
  std::int64_t count = 1;
  for (const ArrayDeclaration& array : file.arrays) {
    if (array.name != name) { continue; }
    for (const Expression& one : array.shape) { count *= one.evaluateInteger(file.defaults()); }
  }
  return count;
}

LaunchTrial LaunchDraft::tryLaunch() const { return opening::tryLaunch(file, program, facts.written); }

}  // namespace haloscope::opening
