#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "recording/BlockView.h"

namespace haloscope::recording {

namespace {

/// What the changes of a whole recording say about an array or a variable.
struct History {
  bool carries = false;   ///< held a copy of an input point
  bool computed = false;  ///< was assigned the result of arithmetic
};

void note(History& history, const Change& change, ObjectId input) {
  history.carries |= change.originAfter.kind == Origin::Kind::Element && change.originAfter.object == input;
  history.computed |= change.originAfter.kind == Origin::Kind::Computed;
}

}  // namespace

std::vector<Carrier> findCarriers(const Recording& recording) {
  const Program& program = *recording.program;
  const ObjectId input = findGlobalArrays(recording).input;
  std::vector<History> arrays(program.objects.size());
  std::vector<History> variables(program.variables.size());
  for (const Change& change : recording.changes) {
    if (change.kind == Change::Kind::Shared) { note(arrays[change.id], change, input); }
    if (change.kind == Change::Kind::Variable) { note(variables[change.id], change, input); }
  }

  std::vector<std::pair<SourceRange, Carrier>> found;
  for (std::uint32_t id = 0; id < arrays.size(); ++id) {
    const MemoryObject& object = program.objects[id];
    const std::vector<std::int64_t>& extents = recording.extents[id];
    // How threads index numbers in a row that are not copies is not known.
    const bool hasAxes = input == kNone || extents.size() >= std::min<std::size_t>(recording.extents[input].size(), 2);
    const bool sums = arrays[id].computed && isFloating(object.element) && hasAxes;
    if (!arrays[id].carries && !sums) { continue; }
    found.push_back(
        {object.declared, {Carrier::Kind::SharedArray, id, object.name, object.element, extents, arrays[id].carries}});
  }
  const Dim3& block = recording.configuration.block;
  for (std::uint32_t id = 0; id < variables.size(); ++id) {
    const Variable& variable = program.variables[id];
    const ValueType type = program.registers[variable.reg].type;
    // Parameters of inlined functions pass copies on for a moment only; no plane is kept in them.
    if (!variables[id].carries || variables[id].computed || !isFloating(type) || variable.function != 0) { continue; }
    found.push_back(
        {variable.declared, {Carrier::Kind::Register, id, variable.name, type, {block.z, block.y, block.x}}});
  }

  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return std::tuple(a.first.line, a.first.column, a.second.kind, a.second.id) <
           std::tuple(b.first.line, b.first.column, b.second.kind, b.second.id);
  });
  std::vector<Carrier> carriers;
  carriers.reserve(found.size());
  for (auto& [where, carrier] : found) { carriers.push_back(std::move(carrier)); }
  return carriers;
}

}  // namespace haloscope::recording
