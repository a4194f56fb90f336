#include <cstdint>
#include <ranges>
#include <utility>
#include <vector>

#include "recording/BlockView.h"

namespace haloscope::recording {

namespace {

bool contains(const SourceRange& range, const SourceRange& place) {
  const auto begin = std::pair(range.line, range.column);
  const auto end = std::pair(range.endLine, range.endColumn);
  const auto at = std::pair(place.line, place.column);
  return begin <= at && at < end;
}

}  // namespace

bool inScope(const Program& program, const Variable& variable, const Step* step) {
  if (variable.parameter) { return true; }
  if (step == nullptr || step->statement == kNone) { return false; }
  const Statement& statement = program.statements[step->statement];
  const bool sameFunction = statement.function == variable.function;
  const SourceRange& place = sameFunction ? statement.range : program.functions[statement.function].calledAt;
  return place.valid() && contains(variable.scope, place);
}

std::vector<ThreadValue> threadValues(const Cursor& cursor, std::uint32_t thread) {
  std::vector<ThreadValue> values;
  if (cursor.empty() || thread >= cursor.recording().threadCount()) { return values; }
  const Program& program = *cursor.recording().program;
  for (VariableId id = 0; id < program.variables.size(); ++id) {
    const Variable& variable = program.variables[id];
    ThreadValue value{.variable = id,
                      .name = variable.name,
                      .type = program.registers[variable.reg].type,
                      .cell = cursor.variable(id)[thread]};
    value.changed = !cursor.atStart() && value.cell.writtenAt == cursor.currentStep();
    value.inScope = inScope(program, variable, cursor.current());
    const bool unwritten = value.cell.writtenAt == kNone && !variable.parameter;
    value.text = unwritten ? "unwritten" : formatValue(program, value.type, value.cell.bits);
    values.push_back(std::move(value));
  }
  if (cursor.atStart()) { return values; }
  // The last one that matches came last, but the value before the step is the first one's.
  for (const Change& change : cursor.recording().changesOf(cursor.currentStep()) | std::views::reverse) {
    if (change.kind == Change::Kind::Variable && change.index == static_cast<std::int64_t>(thread)) {
      values[change.id].before = change.before;
    }
  }
  return values;
}

}  // namespace haloscope::recording
