#include "recording/StepWrites.h"

#include <algorithm>
#include <array>
#include <utility>

#include "language/Text.h"
#include "recording/GridShape.h"

namespace haloscope::recording {

namespace {

/// "four" of "four.x"; a name without members as it is.
std::string structNameOf(const std::string& name) { return name.substr(0, name.find('.')); }

/// The inlined call in this statement whose variable a change is about; kNone if it is the statement's own.
std::uint32_t calleeOf(const Program& program, StatementId statement, const Change& change) {
  if (change.kind != Change::Kind::Variable || statement == kNone) { return kNone; }
  const std::uint32_t function = program.variables[change.id].function;
  const Statement& where = program.statements[statement];
  const bool calls = function != where.function && where.range.holdsBeginOf(program.functions[function].calledAt);
  return calls ? function : kNone;
}

/// Lower ones matter more.
int rankOf(const Program& program, StatementId statement, const Change& change) {
  switch (change.kind) {
    case Change::Kind::Global:
      return 0;
    case Change::Kind::Shared:
      return 1;
    case Change::Kind::Local:
      return 2;
    case Change::Kind::Variable:
      break;
  }
  return calleeOf(program, statement, change) == kNone ? 3 : 4;
}

/// Whether two changes copied from one array, or from one variable or struct of them.
bool haveOneSource(const Program& program, const Change& a, const Change& b) {
  if (a.copiedFrom != b.copiedFrom) { return false; }
  if (a.copiedId == b.copiedId) { return true; }
  if (a.copiedFrom != Change::CopiedFrom::Variable) { return false; }
  const Variable& first = program.variables[a.copiedId];
  const Variable& second = program.variables[b.copiedId];
  return first.function == second.function && structNameOf(first.name) == structNameOf(second.name);
}

ValueType typeWritten(const Program& program, const Change& change) {
  return change.kind == Change::Kind::Variable ? program.registers[program.variables[change.id].reg].type
                                               : program.objects[change.id].element;
}

/// Whether a store of the step wrote less than an element: what it then holds is put together, and recorded as
/// computed.
bool storesParts(const Recording& recording, std::size_t step) {
  const Program& program = *recording.program;
  return std::ranges::any_of(recording.accessesOf(step), [&](const AccessGroup& group) {
    return group.store &&
           sizeInMemory(program.code[group.instruction].type) < sizeInMemory(program.objects[group.object].element);
  });
}

void countOrigin(const Program& program, const Change& change, StepWrites& writes) {
  using enum Change::CopiedFrom;
  if (change.copiedFrom == None) {
    const Origin::Kind origin = change.originAfter.kind;
    ++(origin == Origin::Kind::Constant   ? writes.literal
       : origin == Origin::Kind::Computed ? writes.computed
                                          : writes.others);
    return;
  }
  ++(change.copiedFrom == Global || change.copiedFrom == Constant ? writes.loaded : writes.copied);
  if (writes.source == nullptr) {
    writes.source = &change;
  } else {
    writes.oneSource = writes.oneSource && haveOneSource(program, *writes.source, change);
  }
}

/// The plane that all copies of input points lie in.
std::optional<std::int64_t> planeCopied(const std::vector<const Change*>& changes, const Footprint& footprint) {
  if (footprint.input == kNone || !hasPlanes(footprint.inputExtents)) { return std::nullopt; }
  const GridShape shape(footprint.inputExtents);
  std::optional<std::int64_t> plane;
  for (const Change* change : changes) {
    const Origin& origin = change->originAfter;
    if (origin.kind == Origin::Kind::Constant || origin.kind == Origin::Kind::Unwritten) { continue; }  // ghost cells
    if (origin.kind != Origin::Kind::Element || origin.object != footprint.input) { return std::nullopt; }
    const std::int64_t z = shape.point(origin.element).z;
    if (plane && *plane != z) { return std::nullopt; }
    plane = z;
  }
  return plane;
}

}  // namespace

StepWrites writesOf(const Recording& recording, std::size_t step, const Footprint& footprint) {
  StepWrites writes;
  const Program& program = *recording.program;
  const StatementId statement = recording.steps[step].statement;
  int rank = 5;
  for (const Change& change : recording.changesOf(step)) { rank = std::min(rank, rankOf(program, statement, change)); }
  std::vector<const Change*> changes;
  for (const Change& change : recording.changesOf(step)) {
    if (rankOf(program, statement, change) == rank) { changes.push_back(&change); }
  }
  if (changes.empty()) { return writes; }
  writes.kind = changes.front()->kind;
  for (const Change* change : changes) {
    if (std::ranges::find(writes.ids, change->id) == writes.ids.end()) { writes.ids.push_back(change->id); }
  }
  if (rank == 4) { writes.called = calleeOf(program, statement, *changes.front()); }

  // A place that is written twice holds what came last.
  const auto place = [](const Change* change) { return std::pair(change->id, change->index); };
  std::ranges::stable_sort(changes, {}, place);
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (i + 1 == changes.size() || place(changes[i]) != place(changes[i + 1])) { writes.last.push_back(changes[i]); }
  }
  std::vector<std::uint32_t> threads;
  const ValueType type = typeWritten(program, *writes.last.front());
  bool same = true;
  for (const Change* change : writes.last) {
    threads.push_back(change->thread);
    same = same && change->after == writes.last.front()->after && typeWritten(program, *change) == type;
    countOrigin(program, *change, writes);
  }
  std::ranges::sort(threads);
  threads.erase(std::unique(threads.begin(), threads.end()), threads.end());
  writes.threads = threads.size();
  if (writes.kind != Change::Kind::Variable && storesParts(recording, step)) {
    writes.others += std::exchange(writes.computed, 0);
  }
  if (same && !isPoison(type, writes.last.front()->after)) { writes.value = writes.last.front()->after; }
  writes.inputPlane = planeCopied(writes.last, footprint);
  return writes;
}

bool hasPlanes(const std::vector<std::int64_t>& extents) { return extents.size() == 3 && extents.front() > 1; }

std::span<const Instruction> codeOf(const Program& program, StatementId statement) {
  if (statement == kNone) { return {}; }
  const std::span<const Instruction> code(program.code);
  const std::size_t first = program.statements[statement].firstInstruction + std::size_t{1};
  std::size_t end = first;
  while (end < code.size() && code[end].op != Opcode::Statement && code[end].op != Opcode::End) { ++end; }
  return first < end ? code.subspan(first, end - first) : std::span<const Instruction>{};
}

bool computes(const Program& program, StatementId statement, bool floating) {
  return std::ranges::any_of(codeOf(program, statement), [&](const Instruction& instruction) {
    if (instruction.fetch != FetchPart::None) { return false; }
    if (floating) { return floatingOperations(instruction) > 0; }
    return instruction.op <= Opcode::LogicalNot || instruction.op == Opcode::Fma || instruction.op == Opcode::Math;
  });
}

std::string namesText(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 3;
  if (names.empty()) { return {}; }
  if (names.size() == 1) { return names.front(); }
  if (names.size() == 2) { return names[0] + tr(" and ") + names[1]; }
  if (names.size() > kMost) { return trf("{}, {} and {} others", names[0], names[1], names.size() - 2); }
  return names[0] + ", " + names[1] + tr(" and ") + names[2];
}

std::vector<std::string> namesOf(const Recording& recording, const StepWrites& writes) {
  const Program& program = *recording.program;
  std::vector<std::string> names;
  for (const std::uint32_t id : writes.ids) {
    if (writes.kind != Change::Kind::Variable) {
      names.push_back(program.objects[id].name);
      continue;
    }
    const std::string& name = program.variables[id].name;
    const std::string base = structNameOf(name);
    const auto ofStruct = std::ranges::count_if(
        writes.ids, [&](std::uint32_t other) { return structNameOf(program.variables[other].name) == base; });
    const std::string& shown = ofStruct > 1 ? base : name;
    if (std::ranges::find(names, shown) == names.end()) { names.push_back(shown); }
  }
  return names;
}

std::string sourceName(const Recording& recording, const StepWrites& writes) {
  const Program& program = *recording.program;
  const Change& source = *writes.source;
  if (source.copiedFrom != Change::CopiedFrom::Variable) { return program.objects[source.copiedId].name; }
  const bool members = std::ranges::any_of(writes.last, [&](const Change* change) {
    return change->copiedFrom == source.copiedFrom && change->copiedId != source.copiedId;
  });
  const std::string& name = program.variables[source.copiedId].name;
  return members ? structNameOf(name) : name;
}

std::vector<std::string> namesRead(const Recording& recording, std::size_t step) {
  constexpr std::array kOrder{MemorySpace::Global, MemorySpace::Shared, MemorySpace::Local, MemorySpace::Constant};
  std::vector<std::string> names;
  for (const MemorySpace space : kOrder) {
    for (const AccessGroup& group : recording.accessesOf(step)) {
      if (group.store || group.space != space) { continue; }
      const std::string& name = recording.program->objects[group.object].name;
      if (std::ranges::find(names, name) == names.end()) { names.push_back(name); }
    }
  }
  return names;
}

}  // namespace haloscope::recording
