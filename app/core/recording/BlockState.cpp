#include "recording/BlockState.h"

namespace haloscope::recording {

BlockState::BlockState(const Recording& recording) {
  const Program& program = *recording.program;
  const std::size_t threads = recording.threadCount();

  arrays_.resize(program.objects.size());
  outputs_.resize(program.objects.size());
  written_.resize(program.objects.size());
  for (std::size_t object = 0; object < program.objects.size(); ++object) {
    std::size_t count = 1;
    for (const std::int64_t extent : recording.extents[object]) { count *= static_cast<std::size_t>(extent); }
    switch (program.objects[object].space) {
      case MemorySpace::Shared:
        arrays_[object].resize(count);
        break;
      case MemorySpace::Local:
        arrays_[object].resize(count * threads);
        break;
      case MemorySpace::Global:
      case MemorySpace::Constant:
        break;
    }
  }

  variables_.resize(program.variables.size());
  for (std::size_t variable = 0; variable < variables_.size(); ++variable) {
    Cell initial;
    initial.bits = recording.initialVariables[variable];
    if (program.variables[variable].parameter) { initial.origin.kind = Origin::Kind::Constant; }
    variables_[variable].assign(threads, initial);
  }
}

void BlockState::apply(const Change& change, std::uint32_t step) {
  cell(change.kind, change.id, change.index) = {change.after, change.originAfter, change.thread, step};
  if (change.kind == Change::Kind::Global && change.writtenAtBefore == kNone) {
    written_[change.id].push_back(change.index);
  }
}

void BlockState::revert(const Change& change) {
  cell(change.kind, change.id, change.index) = {change.before, change.originBefore, change.threadBefore,
                                                change.writtenAtBefore};
  if (change.kind == Change::Kind::Global && change.writtenAtBefore == kNone) { written_[change.id].pop_back(); }
}

const Cell* BlockState::output(ObjectId object, std::int64_t element) const {
  const auto found = outputs_[object].find(element);
  return found == outputs_[object].end() || found->second.writtenAt == kNone ? nullptr : &found->second;
}

const Cell* BlockState::find(Change::Kind kind, std::uint32_t id, std::int64_t index) const {
  switch (kind) {
    case Change::Kind::Variable:
      return &variables_[id][static_cast<std::size_t>(index)];
    case Change::Kind::Shared:
    case Change::Kind::Local:
      return &arrays_[id][static_cast<std::size_t>(index)];
    case Change::Kind::Global:
      return output(id, index);
  }
  return nullptr;
}

Cell& BlockState::cell(Change::Kind kind, std::uint32_t id, std::int64_t index) {
  switch (kind) {
    case Change::Kind::Variable:
      return variables_[id][static_cast<std::size_t>(index)];
    case Change::Kind::Shared:
    case Change::Kind::Local:
      return arrays_[id][static_cast<std::size_t>(index)];
    case Change::Kind::Global:
      break;
  }
  return outputs_[id][index];
}

}  // namespace haloscope::recording
