#include "opening/ArrayShapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "language/Text.h"
#include "opening/ParameterRoles.h"

namespace haloscope::opening {

namespace {

std::vector<Expression> shapeOf(const std::string& name, std::string text) {
  std::erase_if(text, [](char c) { return c == '[' || c == ']'; });
  std::vector<Expression> shape;
  std::size_t at = 0;
  while (at <= text.size()) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    shape.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  if (shape.size() > 3) { throw InputError(trf("the array {} can have one to three extents", name)); }
  return shape;
}

/// With the sizes that the program itself launches with.
std::int64_t elementsIn(const LaunchDraft& draft, const std::vector<std::string>& shape) {
  Bindings sizes = draft.file.defaults();
  for (auto& [name, value] : sizes) {
    const auto passed = draft.clues.executed->scalars.find(name);
    if (passed != draft.clues.executed->scalars.end()) { value = static_cast<std::int64_t>(passed->second); }
  }
  std::int64_t product = 1;
  for (const std::string& one : shape) { product *= Expression(one).evaluateInteger(sizes); }
  return product;
}

/// Seven for a stencil; as many as the width of a filter along each axis, but not along a picture's channels.
std::vector<std::string> shapeOfWeights(const LaunchDraft& draft, int rank) {
  const bool channels = std::ranges::any_of(draft.file.sizes, [](const auto& size) { return isChannels(size.name); });
  const bool counted = std::ranges::any_of(
      draft.numbers, [](const auto& number) { return isRadius(number.first) || isFilterWidth(number.first); });
  if (rank == 3 && !channels && !counted) { return {"7"}; }
  return std::vector<std::string>(channels ? 2 : static_cast<std::size_t>(rank), std::to_string(draft.filterWidth()));
}

/// How many elements the executed launch had behind a pointer.
std::optional<std::int64_t> allocatedElements(const LaunchDraft& draft, const Parameter& parameter) {
  if (draft.clues.executed == nullptr) { return std::nullopt; }
  const auto known = draft.clues.executed->elements.find(parameter.name);
  if (known == draft.clues.executed->elements.end() || known->second < 1) { return std::nullopt; }
  return known->second;
}

std::vector<std::string> proposedShape(const LaunchDraft& draft, const Parameter& parameter, int rank) {
  const bool weights = draft.isWeights(parameter.object);
  std::vector<std::string> shape;
  for (int axis = rank - 1; axis >= 0 && !weights; --axis) { shape.push_back(draft.extent(axis)); }
  if (weights) { shape = shapeOfWeights(draft, rank); }
  // The program's allocation counts more than the rank of the launch.
  const auto allocated = allocatedElements(draft, parameter);
  if (!allocated) { return shape; }
  const std::int64_t elements = *allocated;
  if (weights && elementsIn(draft, shape) == elements) { return shape; }
  for (int r = 3; r >= 1 && !weights; --r) {
    std::vector<std::string> extents;
    for (int axis = r - 1; axis >= 0; --axis) { extents.push_back(draft.extent(axis)); }
    if (elementsIn(draft, extents) == elements) { return extents; }
  }
  return {std::to_string(elements)};
}

}  // namespace

void shapeArrays(LaunchDraft& draft, int rank) {
  draft.file.arrays.clear();
  for (const Parameter& parameter : draft.program.parameters) {
    if (parameter.object == kNone) { continue; }
    ArrayDeclaration array{parameter.name, {}};
    const auto given = draft.clues.overrides.bindings.find(parameter.name);
    if (given != draft.clues.overrides.bindings.end()) {
      array.shape = shapeOf(parameter.name, given->second);
    } else {
      for (const std::string& one : proposedShape(draft, parameter, rank)) { array.shape.emplace_back(one); }
    }
    draft.file.arrays.push_back(std::move(array));
  }
}

}  // namespace haloscope::opening
