#include "recording/RecordingBuilder.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>
#include <vector>

#include "language/Text.h"
#include "program/SourceLocation.h"
#include "recording/Pace.h"
#include "recording/Recording.h"

namespace haloscope::recording {

namespace {

/// A loop and where it lies in the code.
struct LoopCode {
  VariableId variable = kNone;
  StatementId turnsAt = kNone;  ///< the first statement inside: the condition, or the first one of a do loop's body
  std::uint32_t first = 0;      ///< its Loop instruction
  std::uint32_t last = 0;       ///< its EndLoop
};

LoopCode findPlaneLoop(const Program& program) {
  std::uint32_t loop = kNone;
  for (std::uint32_t i = 0; i < program.loops.size(); ++i) {
    const bool better = loop == kNone || program.loops[i].depth < program.loops[loop].depth;
    if (program.loops[i].containsBarrier && better) { loop = i; }
  }
  LoopCode code;
  if (loop == kNone) { return code; }
  code.variable = program.loops[loop].variable;

  // Loops nest: the EndLoop of ours is the one that brings the depth back to where it was.
  int depth = 0;
  for (std::uint32_t i = 0; i < program.code.size(); ++i) {
    const Instruction& instruction = program.code[i];
    if (instruction.op == Opcode::Loop && (depth > 0 || instruction.aux == loop)) {
      if (depth == 0) { code.first = i; }
      ++depth;
    } else if (instruction.op == Opcode::EndLoop && depth > 0) {
      --depth;
      if (depth > 0) { continue; }
      code.last = i;
      break;
    } else if (instruction.op == Opcode::Statement && depth > 0 && code.turnsAt == kNone) {
      code.turnsAt = instruction.aux;
    }
  }
  return code;
}

std::int64_t asInteger(ValueType type, std::uint64_t bits) {
  if (sizeInRegister(type) == 8) { return static_cast<std::int64_t>(bits); }
  return isSigned(type) ? std::int64_t{static_cast<std::int32_t>(bits)}
                        : std::int64_t{static_cast<std::uint32_t>(bits)};
}

/// The lowest thread that takes part in a step.
std::size_t firstThread(const Recording& recording, std::size_t step) {
  for (std::uint32_t warp = 0; warp < recording.warpCount(); ++warp) {
    const LaneMask active = recording.warpState(step, warp).active;
    if (active != 0) { return std::size_t{warp} * kWarpSize + static_cast<std::size_t>(std::countr_zero(active)); }
  }
  return 0;
}

/// Counts this step's turn for the warps in it; returns the turn of the one furthest ahead, from 1.
std::size_t furthestTurn(const Recording& recording, std::size_t step, bool turning, std::vector<std::size_t>& turns) {
  std::size_t furthest = 0;
  for (std::uint32_t warp = 0; warp < recording.warpCount(); ++warp) {
    if (recording.warpState(step, warp).active == 0) { continue; }
    turns[warp] += turning ? 1 : 0;
    furthest = std::max(furthest, turns[warp]);
  }
  return furthest;
}

/// The newest plane is nothing but the condition that ended the loop; what warps that lag behind did in the meantime
/// belongs to the plane before.
void dropLastPlane(Recording& recording, StatementId condition) {
  const Plane last = recording.planes.back();
  recording.planes.pop_back();
  const auto before = recording.planes.empty() ? kNone : static_cast<std::uint32_t>(recording.planes.size() - 1);
  for (std::uint32_t i = last.firstStep; i < last.endStep; ++i) {
    Step& step = recording.steps[i];
    if (step.plane == kNone) { continue; }
    step.plane = step.statement == condition ? kNone : before;
    if (step.plane != kNone) { recording.planes.back().endStep = i + 1; }
  }
}

/// Cuts a recording's steps into planes, the turns of the outermost loop with a barrier in it: fills `planes` and
/// every step's `plane`. A last turn that only finds the loop's condition false does not count.
void findPlanes(Recording& recording) {
  const Program& program = *recording.program;
  const LoopCode loop = findPlaneLoop(program);
  recording.planes.clear();
  if (loop.turnsAt == kNone) { return; }

  ValueType type = ValueType::I32;
  std::vector<std::uint64_t> values;  // of the loop's variable, per thread
  if (loop.variable != kNone) {
    type = program.registers[program.variables[loop.variable].reg].type;
    values.assign(recording.threadCount(), recording.initialVariables[loop.variable]);
  }

  // Warps need not turn together: a plane begins when the first of them does, and its others follow within it.
  std::vector<std::size_t> turns(recording.warpCount());
  bool planeHasBody = false;  // a warp in the newest plane has gone past the loop's condition
  for (std::uint32_t i = 0; i < recording.steps.size(); ++i) {
    Step& step = recording.steps[i];
    // Warps that are done with the loop may run on while others turn again; their steps belong to no plane.
    const std::uint32_t at = step.statement == kNone ? 0 : program.statements[step.statement].firstInstruction;
    const bool inside = step.statement != kNone && loop.first < at && at < loop.last;
    if (inside) {
      const bool turning = step.statement == loop.turnsAt;
      const std::size_t furthest = furthestTurn(recording, i, turning, turns);
      if (turning && furthest > recording.planes.size()) {
        Plane plane{i, i, {}, 0};
        if (loop.variable != kNone) {
          plane.variable = program.variables[loop.variable].name;
          plane.value = asInteger(type, values[firstThread(recording, i)]);
        }
        recording.planes.push_back(plane);
        planeHasBody = false;
      } else if (!turning && furthest == recording.planes.size()) {
        planeHasBody = true;
      }
    }
    if (inside && !recording.planes.empty()) {
      recording.planes.back().endStep = i + 1;
      step.plane = static_cast<std::uint32_t>(recording.planes.size() - 1);
    }
    if (values.empty()) { continue; }
    for (const Change& change : recording.changesOf(i)) {
      if (change.kind == Change::Kind::Variable && change.id == loop.variable) {
        values[static_cast<std::size_t>(change.index)] = change.after;
      }
    }
  }

  if (recording.planes.empty() || recording.truncated || planeHasBody) { return; }
  if (program.statements[loop.turnsAt].kind != StatementKind::LoopCondition) { return; }
  dropLastPlane(recording, loop.turnsAt);
}

/// Shapes of all objects at this launch: declared ones, or those that the launch gives.
std::vector<std::vector<std::int64_t>> extentsAtLaunch(const Program& program, const Launch& launch) {
  std::vector<std::vector<std::int64_t>> extents;
  extents.reserve(program.objects.size());
  for (std::size_t id = 0; id < program.objects.size(); ++id) {
    const MemoryObject& object = program.objects[id];
    const ArrayData* array = id < launch.arrays.size() ? &launch.arrays[id] : nullptr;
    const int size = sizeInMemory(object.element);
    if (!object.extentsAtLaunch) {
      extents.push_back(object.extents);
    } else if (object.space == MemorySpace::Shared) {
      extents.push_back({launch.configuration.dynamicSharedBytes / size});
    } else if (array == nullptr) {
      extents.push_back({});
    } else if (const auto count = static_cast<std::int64_t>(array->bytes.size()) / size;
               array->elementCount() != count) {
      extents.push_back({count});  // an array without a stated shape is a line
    } else {
      extents.push_back(array->extents);
    }
  }
  return extents;
}

std::vector<std::vector<std::uint64_t>> constantsAtLaunch(const Program& program, const Launch& launch) {
  std::vector<std::vector<std::uint64_t>> constants(program.objects.size());
  for (std::size_t id = 0; id < program.objects.size(); ++id) {
    if (program.objects[id].space != MemorySpace::Constant) { continue; }
    constants[id] = program.objects[id].initial;
    if (id >= launch.arrays.size() || launch.arrays[id].bytes.empty()) { continue; }
    const ArrayData& array = launch.arrays[id];
    constants[id].resize(array.bytes.size() / static_cast<std::size_t>(sizeInMemory(array.element)));
    for (std::size_t i = 0; i < constants[id].size(); ++i) {
      constants[id][i] = elementBits(array, static_cast<std::int64_t>(i));
    }
  }
  return constants;
}

std::vector<std::uint64_t> variablesAtLaunch(const Program& program, const Launch& launch) {
  std::vector<std::uint64_t> bits(program.variables.size(), kPoison);
  for (std::size_t i = 0; i < program.parameters.size(); ++i) {
    const Parameter& parameter = program.parameters[i];
    if (parameter.variable == kNone) { continue; }
    bits[parameter.variable] = parameter.object != kNone     ? PackedPointer::pack(parameter.object, 0)
                               : i < launch.arguments.size() ? launch.arguments[i]
                                                             : 0;
  }
  return bits;
}

/// More values than a block can have at once to be recorded: elements of shared and local arrays, variables.
constexpr std::uint64_t kMostCells = std::uint64_t{1} << 24;

std::uint64_t cellsOf(const Program& program, const std::vector<std::vector<std::int64_t>>& extents,
                      std::uint64_t threads) {
  std::uint64_t cells = program.variables.size() * threads;
  for (ObjectId object = 0; object < program.objects.size(); ++object) {
    const MemorySpace space = program.objects[object].space;
    if (space != MemorySpace::Shared && space != MemorySpace::Local) { continue; }
    std::uint64_t count = space == MemorySpace::Local ? threads : 1;
    for (const std::int64_t extent : extents[object]) { count *= static_cast<std::uint64_t>(extent); }
    cells += count;
  }
  return cells;
}

std::shared_ptr<Recording> emptyRecording(std::shared_ptr<const Program> program, const Launch& launch,
                                          const Dim3& block, Recording::Source source) {
  auto recording = std::make_shared<Recording>();
  recording->configuration = launch.configuration;
  recording->block = block;
  recording->source = source;
  recording->extents = extentsAtLaunch(*program, launch);
  const std::uint64_t cells = cellsOf(*program, recording->extents, recording->threadCount());
  if (cells > kMostCells) {
    throw InputError(
        trf("the arrays and variables of a block have {} values; at most {} can be recorded", cells, kMostCells));
  }
  recording->initialConstants = constantsAtLaunch(*program, launch);
  recording->initialVariables = variablesAtLaunch(*program, launch);
  recording->program = std::move(program);
  return recording;
}

}  // namespace

std::uint64_t elementBits(const ArrayData& array, std::int64_t element) {
  const auto size = static_cast<std::size_t>(sizeInMemory(array.element));
  std::uint64_t bits = 0;
  std::memcpy(&bits, array.bytes.data() + static_cast<std::size_t>(element) * size, size);
  return bits;
}

RecordingBuilder::RecordingBuilder(std::shared_ptr<const Program> program, const Launch& launch, const Dim3& block,
                                   Recording::Source source)
    : recording_(emptyRecording(std::move(program), launch, block, source)), launch_(launch), state_(*recording_) {}

void RecordingBuilder::reserve(std::size_t accesses, std::size_t writes) {
  recording_->elements.reserve(accesses);
  recording_->values.reserve(accesses);
  recording_->changes.reserve(writes);
}

void RecordingBuilder::beginStep(StatementId statement, std::uint32_t interval) {
  Recording& recording = *recording_;
  const auto index = static_cast<std::uint32_t>(recording.steps.size());
  Step step{.statement = statement,
            .interval = interval,
            .firstChange = static_cast<std::uint32_t>(recording.changes.size()),
            .firstAccess = static_cast<std::uint32_t>(recording.accesses.size())};
  recording.steps.push_back(step);
  recording.warpStates.resize(recording.warpStates.size() + recording.warpCount());
  addToInterval(index, interval);
  inStep_ = true;
  arithmetic_ = false;
}

void RecordingBuilder::addToInterval(std::uint32_t stepIndex, std::uint32_t interval) {
  // Intervals without a step (two barriers in one statement) still count, as empty ones.
  auto& intervals = recording_->intervals;
  while (intervals.size() <= interval) { intervals.push_back({stepIndex, stepIndex}); }
  intervals[interval].endStep = stepIndex + 1;
}

void RecordingBuilder::addLanes(std::uint32_t warp, const WarpState& lanes) {
  WarpState& state = recording_->warpStates[recording_->warpStates.size() - recording_->warpCount() + warp];
  state.active |= lanes.active;
  state.waiting |= lanes.waiting;
  state.exited |= lanes.exited;
}

void RecordingBuilder::write(const Write& write) {
  Change change{.kind = write.kind,
                .copiedFrom = write.copiedFrom,
                .id = write.id,
                .copiedId = write.copiedId,
                .thread = write.thread,
                .index = write.index,
                .after = write.bits,
                .originAfter = write.origin};
  if (const Cell* before = state_.find(write.kind, write.id, write.index)) {
    change.before = before->bits;
    change.originBefore = before->origin;
    change.threadBefore = before->writer;
    change.writtenAtBefore = before->writtenAt;
  } else {
    change.before = initialGlobal(write.id, write.index);
  }
  state_.apply(change, static_cast<std::uint32_t>(recording_->steps.size() - 1));
  recording_->changes.push_back(change);
}

bool RecordingBuilder::isPart(ObjectId object, ValueType type) const {
  return sizeInMemory(type) < sizeInMemory(recording_->program->objects[object].element);
}

std::int64_t RecordingBuilder::elementOf(ObjectId object, ValueType type, std::int64_t index) const {
  if (!isPart(object, type)) { return index; }
  return index * sizeInMemory(type) / sizeInMemory(recording_->program->objects[object].element);
}

std::int64_t RecordingBuilder::cellOf(ObjectId object, std::int64_t element, std::uint32_t thread) const {
  const MemoryObject& array = recording_->program->objects[object];
  return array.space == MemorySpace::Local ? thread * array.elementCount() + element : element;
}

void RecordingBuilder::store(Write write, ValueType type) {
  const MemoryObject& array = recording_->program->objects[write.id];
  write.kind = array.space == MemorySpace::Global   ? Change::Kind::Global
               : array.space == MemorySpace::Shared ? Change::Kind::Shared
                                                    : Change::Kind::Local;
  const std::int64_t index = write.index;
  write.index = cellOf(write.id, elementOf(write.id, type, index), write.thread);
  // The last bytes of an array may be less than an element.
  const bool isCell =
      write.kind == Change::Kind::Global || static_cast<std::size_t>(write.index) < state_.array(write.id).size();
  if (!isCell) { return; }
  if (isPart(write.id, type)) {
    const Cell* const cell = state_.find(write.kind, write.id, write.index);
    const std::uint64_t before = cell != nullptr ? cell->bits : initialGlobal(write.id, write.index);
    const int bits = 8 * sizeInMemory(type);
    const auto shift = static_cast<int>(index * bits % (8 * sizeInMemory(array.element)));
    const std::uint64_t mask = ((std::uint64_t{1} << bits) - 1) << shift;
    write.bits = (before & ~mask) | (write.bits << shift & mask);
    write.origin = {Origin::Kind::Computed, kNone, 0};
    write.copiedFrom = Change::CopiedFrom::None;
    write.copiedId = kNone;
  }
  this->write(write);
}

Origin RecordingBuilder::originOf(ObjectId object, ValueType type, std::int64_t index, std::uint32_t thread) const {
  const MemorySpace space = recording_->program->objects[object].space;
  if (space == MemorySpace::Constant) { return {Origin::Kind::Constant, kNone, 0}; }
  if (isPart(object, type)) { return {Origin::Kind::Computed, kNone, 0}; }
  if (space == MemorySpace::Global) { return {Origin::Kind::Element, object, index}; }
  const std::vector<Cell>& cells = state_.array(object);
  const auto at = static_cast<std::size_t>(cellOf(object, index, thread));
  return at < cells.size() ? cells[at].origin : Origin{};
}

void RecordingBuilder::access(const AccessGroup& group, const std::array<std::int64_t, kWarpSize>& indices,
                              const std::array<std::uint64_t, kWarpSize>& values) {
  Recording& recording = *recording_;
  const ValueType type = recording.program->code[group.instruction].type;
  recording.accesses.push_back(group);
  recording.accesses.back().first = static_cast<std::uint32_t>(recording.elements.size());
  for (LaneMask lanes = group.lanes; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(lanes));
    recording.elements.push_back(elementOf(group.object, type, indices[lane]));
    recording.values.push_back(values[lane]);
  }
}

void RecordingBuilder::access(const AccessGroup& group, std::span<const std::int64_t> indices,
                              std::span<const std::uint64_t> values) {
  Recording& recording = *recording_;
  recording.accesses.push_back(group);
  recording.accesses.back().first = static_cast<std::uint32_t>(recording.elements.size());
  const ValueType type = recording.program->code[group.instruction].type;
  for (const std::int64_t index : indices) { recording.elements.push_back(elementOf(group.object, type, index)); }
  recording.values.insert(recording.values.end(), values.begin(), values.end());
}

void RecordingBuilder::clusterAccess(ClusterAccess access) {
  access.step = static_cast<std::uint32_t>(recording_->steps.size() - 1);
  recording_->clusterAccesses.push_back(access);
}

std::size_t RecordingBuilder::issue(ObjectId object, ValueType type, std::int64_t index, std::uint32_t thread) {
  const auto step = static_cast<std::uint32_t>(recording_->steps.size() - 1);
  recording_->inFlight.push_back(
      {.object = object, .index = elementOf(object, type, index), .thread = thread, .issuedAt = step});
  return recording_->inFlight.size() - 1;
}

void RecordingBuilder::arrive(std::size_t number) {
  recording_->inFlight[number].arrivesAt = static_cast<std::uint32_t>(recording_->steps.size() - 1);
}

void RecordingBuilder::setBarrier(std::size_t number, ObjectId barrier, std::int64_t index) {
  recording_->inFlight[number].barrier = barrier;
  recording_->inFlight[number].barrierIndex = index;
}

void RecordingBuilder::endStep() {
  Recording& recording = *recording_;
  Step& step = recording.steps.back();
  step.changeCount = static_cast<std::uint32_t>(recording.changes.size()) - step.firstChange;
  step.accessCount = static_cast<std::uint32_t>(recording.accesses.size()) - step.firstAccess;
  recording.activities.push_back(activity(step));
  recording.intervals[step.interval].seconds += static_cast<float>(secondsOf(recording.activities.back()));
  inStep_ = false;
}

Activity RecordingBuilder::activity(const Step& step) const {
  const Recording& recording = *recording_;
  const Program& program = *recording.program;
  if (step.statement != kNone && program.statements[step.statement].kind == StatementKind::Barrier) {
    return Activity::Barrier;
  }
  bool reads = false;
  for (const AccessGroup& group : recording.accessesOf(recording.steps.size() - 1)) {
    if (group.space != MemorySpace::Global) { continue; }
    if (group.store) { return Activity::Output; }
    reads = true;
  }
  if (reads) { return Activity::Load; }

  for (const Change& change : recording.changesOf(recording.steps.size() - 1)) {
    const bool variable = change.kind == Change::Kind::Variable;
    const ValueType type =
        variable ? program.registers[program.variables[change.id].reg].type : program.objects[change.id].element;
    if (!isFloating(type)) { continue; }
    const bool copied = change.copiedFrom == Change::CopiedFrom::Shared ||
                        change.copiedFrom == Change::CopiedFrom::Variable ||
                        change.copiedFrom == Change::CopiedFrom::Local;
    const Origin::Kind origin = change.originAfter.kind;
    if (origin == Origin::Kind::Element || (origin == Origin::Kind::Constant && (copied || !variable))) {
      return Activity::Move;  // a literal put into an array fills ghost cells; one put into a variable is set-up
    }
  }
  return arithmetic_ ? Activity::Compute : Activity::Control;
}

std::uint64_t RecordingBuilder::initialGlobal(ObjectId object, std::int64_t element) const {
  if (object >= launch_.arrays.size()) { return 0; }
  const ArrayData& array = launch_.arrays[object];
  const auto size = static_cast<std::size_t>(sizeInMemory(array.element));
  const bool inside = element >= 0 && (static_cast<std::size_t>(element) + 1) * size <= array.bytes.size();
  return inside ? elementBits(array, element) : 0;
}

std::size_t RecordingBuilder::byteCount() const { return recording_->byteCount(); }

std::shared_ptr<const Recording> RecordingBuilder::finish(bool truncated, std::string message) {
  if (inStep_) { endStep(); }
  Recording& recording = *recording_;
  recording.truncated = truncated || !message.empty();
  recording.message = std::move(message);
  findPlanes(recording);
  recording.steps.shrink_to_fit();
  recording.activities.shrink_to_fit();
  recording.warpStates.shrink_to_fit();
  recording.changes.shrink_to_fit();
  recording.accesses.shrink_to_fit();
  recording.elements.shrink_to_fit();
  recording.values.shrink_to_fit();
  return recording_;
}

}  // namespace haloscope::recording
