#include "experiment/ArrayShapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "experiment/ParameterRoles.h"

namespace haloscope::experiment {

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
  if (shape.size() > 3) { throw InputError(fmt::format("the array {} can have one to three extents", name)); }
  return shape;
}

std::vector<std::string> proposedShape(const LaunchDraft& draft, const Parameter& parameter, int rank) {
  const MemoryObject& object = draft.program.objects[parameter.object];
  const bool readOnly = !draft.facts.written.contains(parameter.object);
  if (readOnly && isFilter(parameter.name) && draft.readArrays() > 1) {
    if (rank == 3) { return {"7"}; }
    const std::string width = std::to_string(draft.filterWidth());
    return rank == 1 ? std::vector<std::string>{width} : std::vector<std::string>{width, width};
  }
  std::vector<std::string> shape;
  for (int axis = rank - 1; axis >= 0; --axis) { shape.push_back(draft.extent(axis)); }
  // The host's allocation counts more than the rank of the launch.
  const HostCode::Tokens* passed = draft.argument(parameter);
  const bool field =
      !LaunchDraft::pathOf(parameter).empty();  // cudaMalloc(&field.data, …) is known by the name of the member
  const auto bytes =
      passed != nullptr && passed->size() == 1
          ? draft.clues.code.allocatedBytes(field ? lastName(parameter.name) : passed->front(), draft.known)
          : std::nullopt;
  if (!bytes || *bytes < 1) { return shape; }
  const std::int64_t elements = std::max<std::int64_t>(1, *bytes / sizeInMemory(object.element));
  for (int r = 3; r >= 1; --r) {
    std::int64_t product = 1;
    std::vector<std::string> extents;
    for (int axis = r - 1; axis >= 0; --axis) {
      extents.push_back(draft.extent(axis));
      product *= draft.value(extents.back());
    }
    if (product == elements) { return extents; }
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

}  // namespace haloscope::experiment
