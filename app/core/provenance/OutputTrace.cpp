#include "provenance/OutputTrace.h"

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>

#include "language/Text.h"
#include "provenance/CopyOrigins.h"
#include "provenance/ShuffleSources.h"
#include "provenance/TracedValues.h"
#include "simt/Executor.h"
#include "simt/Warp.h"

namespace haloscope::provenance {
namespace {

using simt::MemoryAccess;
using simt::WarpContext;

/// What is written to memory or changes what is there. Which value a swap compares with shows in no output.
RegisterId storedOperand(const Instruction& instruction) {
  return instruction.op == Opcode::AtomicCompareAndSwap ? instruction.c : instruction.b;
}

/// Registers whose value can end in memory: what is stored, and what that is computed from. Addresses are not.
std::vector<bool> storedRegisters(const Program& program) {
  std::vector<bool> followed(program.registers.size(), false);
  const auto follow = [&](RegisterId reg) {
    if (reg == kNone || followed[reg]) { return false; }
    followed[reg] = true;
    return true;
  };
  for (bool more = true; more;) {
    more = false;
    for (const Instruction& instruction : program.code) {
      if (writesMemory(instruction.op)) {
        more = follow(storedOperand(instruction)) || more;
      } else if (instruction.op == Opcode::Shuffle && followed[instruction.dst]) {
        more = follow(instruction.a) || more;
      } else if (instruction.op != Opcode::Load && instruction.dst != kNone && followed[instruction.dst]) {
        if (instruction.op != Opcode::Select) { more = follow(instruction.a) || more; }
        more = follow(instruction.b) || more;
        more = follow(instruction.c) || more;
      }
    }
  }
  return followed;
}

/// Follows the values of one block.
class Tracer {
 public:
  Tracer(const Program& program, const Launch& launch, const Dim3& block)
      : program_(program),
        block_(block),
        rank_(rankInCluster(block, clusterOf(program, launch.configuration))),
        followed_(storedRegisters(program)),
        statementOf_(statementOfInstructions(program)),
        variables_(program.registers.size(), kNone),
        parameters_(program.registers.size(), false),
        memory_(program.objects.size()) {
    for (std::size_t reg = 0; reg < followed_.size(); ++reg) { slots_.push_back(followed_[reg] ? slotCount_++ : 0); }
    for (VariableId variable = 0; variable < program.variables.size(); ++variable) {
      variables_[program.variables[variable].reg] = variable;
      parameters_[program.variables[variable].reg] = program.variables[variable].parameter;
    }
    if (accessesCluster(program)) { cluster_.emplace(program, launch); }
    held_.assign(launch.configuration.warpsPerBlock() * slotCount_ * kWarpSize, kNone);
  }

  /// Whether it is the traced block: those of its cluster are heard of as well.
  [[nodiscard]] bool traces(const Dim3& block) const { return block == block_; }

  void statement(const WarpContext& context) { inStep_ = inStep_ || traces(context.block); }

  void turnEnds() {
    if (std::exchange(inStep_, false)) { ++step_; }
  }

  void instruction(const WarpContext& context, std::uint32_t at) {
    if (cluster_) { cluster_->instruction(context, at); }
    if (!traces(context.block)) { return; }
    const Instruction& instruction = program_.code[at];
    if (instruction.dst == kNone) { return; }
    if (variables_[instruction.dst] != kNone) { inStep_ = true; }
    if (!followed_[instruction.dst]) { return; }
    if (values_.full() || isAtomic(instruction.op)) { return; }  // access() noted what an atomic read
    if (instruction.op == Opcode::Shuffle) { return shuffle(context, at); }
    for (LaneMask lanes = context.active; lanes != 0; lanes &= lanes - 1) {
      const int lane = std::countr_zero(lanes);
      ValueId& held = heldBy(context, instruction.dst, lane);
      switch (instruction.op) {
        case Opcode::Load:  // access() noted what was read
          break;
        case Opcode::Assign:
          held = operand(context, at, instruction.a, lane);
          break;
        case Opcode::Select:
          held = operand(context, at,
                         (context.state->bits(instruction.a, lane) & 1U) != 0 ? instruction.b : instruction.c, lane);
          break;
        default: {
          TracedValue node = made(context, at, lane, TracedValue::Kind::Operation);
          node.id = at;
          node.type = program_.registers[instruction.dst].type;
          node.bits = context.state->bits(instruction.dst, lane);
          const std::array<RegisterId, 3> registers{instruction.a, instruction.b, instruction.c};
          for (std::size_t i = 0; i < registers.size(); ++i) {
            if (registers[i] != kNone) { node.from[i] = operand(context, at, registers[i], lane); }
          }
          held = values_.add(node);
          break;
        }
      }
      if (const VariableId variable = variables_[instruction.dst]; variable != kNone) {
        held = copied(context, at, lane, held, Hop::Place::Variable, variable, threadOf(context, lane));
      }
    }
  }

  /// An access to the shared memory of another block: a value is what that one copied, whatever way it went there.
  void clusterAccess(const WarpContext& context, const MemoryAccess& access, std::uint32_t rank) {
    cluster_->clusterAccess(context, access, rank);
    const bool own = traces(context.block);
    inStep_ = inStep_ || own;
    if (values_.full()) { return; }
    const RegisterId dst = program_.code[access.instruction].dst;
    for (LaneMask lanes = access.lanes; lanes != 0; lanes &= lanes - 1) {
      const int lane = std::countr_zero(lanes);
      const std::int64_t element = access.index[static_cast<std::size_t>(lane)];
      if (own && !access.store && followed_[dst]) {
        heldBy(context, dst, lane) = values_.add(ofCluster(context, access, rank, lane));
      } else if (!own && access.store && rank == rank_) {
        memory_[access.object][element] = values_.add(ofCluster(context, access, rank, lane));
      }
    }
  }

  void access(const WarpContext& context, const MemoryAccess& access) {
    if (cluster_) { cluster_->access(context, access); }
    if (!traces(context.block)) { return; }
    inStep_ = true;
    if (values_.full()) { return; }
    const Instruction& instruction = program_.code[access.instruction];
    for (LaneMask lanes = access.lanes; lanes != 0; lanes &= lanes - 1) {
      const int lane = std::countr_zero(lanes);
      const std::int64_t index = cellOf(context, access, lane);
      auto& cells = memory_[access.object];
      if (!access.store) {
        if (!followed_[instruction.dst]) { continue; }
        const auto cell = cells.find(index);
        heldBy(context, instruction.dst, lane) = cell != cells.end() ? readBack(context, access, lane, cell->second)
                                                                     : values_.add(read(context, access, lane));
        continue;
      }
      ValueId value = operand(context, access.instruction, storedOperand(instruction), lane);
      if (isAtomic(instruction.op) && instruction.op != Opcode::AtomicExchange) {
        const auto cell = cells.find(index);
        TracedValue sum = made(context, access.instruction, lane, TracedValue::Kind::Operation);
        sum.id = access.instruction;
        sum.type = access.element;
        sum.bits = access.value[static_cast<std::size_t>(lane)];
        sum.from = {cell != cells.end() ? cell->second : values_.add(read(context, access, lane)), value, kNone};
        value = values_.add(sum);
      }
      const Hop::Place place = access.space == MemorySpace::Global   ? Hop::Place::Global
                               : access.space == MemorySpace::Shared ? Hop::Place::Shared
                                                                     : Hop::Place::Local;
      cells[index] = copied(context, access.instruction, lane, value, place, access.object,
                            access.index[static_cast<std::size_t>(lane)]);
    }
  }

  void outOfBounds(const WarpContext& context, const simt::OutOfBounds& fault) {
    if (!traces(context.block)) { return; }
    const Instruction& instruction = program_.code[fault.instruction];
    if (fault.store || !followed_[instruction.dst] || values_.full()) { return; }
    for (LaneMask lanes = fault.lanes; lanes != 0; lanes &= lanes - 1) {
      const int lane = std::countr_zero(lanes);
      TracedValue node = made(context, fault.instruction, lane, TracedValue::Kind::OutOfBounds);
      node.type = program_.registers[instruction.dst].type;
      node.id = fault.object;
      node.index = fault.index[static_cast<std::size_t>(lane)];
      heldBy(context, instruction.dst, lane) = values_.add(node);
    }
  }

  /// Elements of a global array that were written, ascending.
  [[nodiscard]] std::vector<std::int64_t> written(ObjectId object) const {
    std::vector<std::int64_t> elements;
    for (const auto& [element, value] : memory_[object]) { elements.push_back(element); }
    std::ranges::sort(elements);
    return elements;
  }

  /// The last value written to an element.
  [[nodiscard]] std::optional<OutputTrace> trace(ObjectId object, std::int64_t element) const {
    const auto cell = memory_[object].find(element);
    if (cell == memory_[object].end() || values_.full()) { return std::nullopt; }
    return values_.trace(cell->second, object, element);
  }

 private:
  [[nodiscard]] static std::uint32_t threadOf(const WarpContext& context, int lane) {
    return context.warp * kWarpSize + static_cast<std::uint32_t>(lane);
  }

  /// Each lane now holds what another one held.
  void shuffle(const WarpContext& context, std::uint32_t at) {
    const Instruction& instruction = program_.code[at];
    const ShuffleSources sources(context, instruction);
    for (LaneMask lanes = context.active; lanes != 0; lanes &= lanes - 1) {
      const int lane = std::countr_zero(lanes);
      if ((sources.given >> lane & 1U) != 0) {
        const int from = sources.from[static_cast<std::size_t>(lane)];
        heldBy(context, instruction.dst, lane) = operand(context, at, instruction.a, from);
        continue;
      }
      TracedValue node = made(context, at, lane, TracedValue::Kind::Uninitialised);
      node.type = instruction.type;
      node.bits = context.state->bits(instruction.dst, lane);
      heldBy(context, instruction.dst, lane) = values_.add(node);
    }
  }

  /// Key of an element in memory_: a local array's differs from thread to thread.
  [[nodiscard]] std::int64_t cellOf(const WarpContext& context, const MemoryAccess& access, int lane) const {
    const std::int64_t element = access.index[static_cast<std::size_t>(lane)];
    if (access.space != MemorySpace::Local) { return element; }
    return threadOf(context, lane) * program_.objects[access.object].elementCount() + element;
  }

  ValueId& heldBy(const WarpContext& context, RegisterId reg, int lane) {
    return held_[(context.warp * slotCount_ + slots_[reg]) * kWarpSize + static_cast<std::size_t>(lane)];
  }

  [[nodiscard]] TracedValue made(const WarpContext& context, std::uint32_t at, int lane, TracedValue::Kind kind) const {
    return TracedValue{.kind = kind, .thread = threadOf(context, lane), .step = step_, .statement = statementOf_[at]};
  }

  ValueId copied(const WarpContext& context, std::uint32_t at, int lane, ValueId from, Hop::Place place,
                 std::uint32_t id, std::int64_t index) {
    TracedValue node = made(context, at, lane, TracedValue::Kind::Copy);
    node.place = place;
    node.id = id;
    node.index = index;
    node.type = values_[from].type;
    node.bits = values_[from].bits;
    node.from[0] = from;
    return values_.add(node);
  }

  /// What a lane reads from memory that the block has not written.
  [[nodiscard]] TracedValue read(const WarpContext& context, const MemoryAccess& access, int lane) const {
    TracedValue node = made(context, access.instruction, lane, TracedValue::Kind::Uninitialised);
    if (access.space == MemorySpace::Global) { node.kind = TracedValue::Kind::Element; }
    if (access.space == MemorySpace::Constant) { node.kind = TracedValue::Kind::Constant; }
    node.type = access.element;
    node.id = access.object;
    node.index = access.index[static_cast<std::size_t>(lane)];
    node.bits = access.value[static_cast<std::size_t>(lane)];
    return node;
  }

  /// The value of an element in the shared memory of the block with this rank in the cluster.
  [[nodiscard]] TracedValue ofCluster(const WarpContext& context, const MemoryAccess& access, std::uint32_t rank,
                                      int lane) const {
    using Kind = recording::Origin::Kind;
    TracedValue node = read(context, access, lane);
    const recording::Origin origin = cluster_->of(rank, access.object, node.index);
    if (origin.kind == Kind::Element) {
      node.kind = TracedValue::Kind::Element;
      node.id = origin.object;
      node.index = origin.element;
    } else if (origin.kind != Kind::Unwritten) {
      node.kind = TracedValue::Kind::Literal;
      node.id = kNone;
    }
    return node;
  }

  /// What a lane reads from memory that the block has written. The result of another thread is a separate value: an
  /// update in place sees what neighbours left there.
  ValueId readBack(const WarpContext& context, const MemoryAccess& access, int lane, ValueId cell) {
    ValueId source = cell;
    while (values_[source].kind == TracedValue::Kind::Copy) { source = values_[source].from[0]; }
    const bool others = values_[cell].thread != threadOf(context, lane);
    if (access.space != MemorySpace::Global || !others || values_[source].kind != TracedValue::Kind::Operation) {
      return cell;
    }
    TracedValue node = read(context, access, lane);
    node.kind = TracedValue::Kind::Computed;
    node.from[0] = cell;
    return values_.add(node);
  }

  /// What a lane holds in a register.
  ValueId operand(const WarpContext& context, std::uint32_t at, RegisterId reg, int lane) {
    if (followed_[reg]) {
      if (const ValueId held = heldBy(context, reg, lane); held != kNone) { return held; }
    }
    const bool unassigned = program_.registers[reg].kind == RegisterKind::Variable && !parameters_[reg];
    TracedValue node =
        made(context, at, lane, unassigned ? TracedValue::Kind::Uninitialised : TracedValue::Kind::Literal);
    node.type = program_.registers[reg].type;
    node.bits = context.state->bits(reg, lane);
    const Opcode op = program_.code[at].op;
    node.given = op == Opcode::Assign || op == Opcode::Select;
    if (unassigned) {
      node.place = Hop::Place::Variable;
      node.id = variables_[reg];
    }
    return values_.add(node);
  }

  const Program& program_;
  Dim3 block_;
  std::uint32_t rank_;                     ///< in its cluster
  std::optional<ClusterOrigins> cluster_;  ///< where blocks access each other's shared memory
  std::vector<bool> followed_;             ///< per register
  std::vector<std::size_t> slots_;
  std::size_t slotCount_ = 0;
  std::vector<StatementId> statementOf_;
  std::vector<VariableId> variables_;  ///< per register: the variable it is, or kNone
  std::vector<bool> parameters_;       ///< per register: a parameter of the kernel
  std::vector<std::unordered_map<std::int64_t, ValueId>> memory_;
  std::vector<ValueId> held_;  ///< (warp * slotCount_ + slot) * 32 + lane
  TracedValues values_;
  std::uint32_t step_ = 0;
  bool inStep_ = false;
};

/// Hands what it hears to the tracer. One worker runs the one block.
class TraceObserver final : public simt::Observer {
 public:
  explicit TraceObserver(Tracer& tracer) : tracer_(tracer) {}

  [[nodiscard]] Wants wants() const override { return {true, true, true}; }
  [[nodiscard]] std::unique_ptr<Observer> fork() const override { return std::make_unique<TraceObserver>(tracer_); }
  void join(Observer&) override {}

  void statement(const WarpContext& context, StatementId) override { tracer_.statement(context); }
  void instruction(const WarpContext& context, std::uint32_t at) override { tracer_.instruction(context, at); }
  void access(const WarpContext& context, const MemoryAccess& access) override { tracer_.access(context, access); }
  void clusterAccess(const WarpContext& context, const MemoryAccess& access, std::uint32_t rank) override {
    tracer_.clusterAccess(context, access, rank);
  }
  void outOfBounds(const WarpContext& context, const simt::OutOfBounds& fault) override {
    tracer_.outOfBounds(context, fault);
  }
  void turnEnds(const Dim3& block, StatementId) override {
    if (tracer_.traces(block)) { tracer_.turnEnds(); }
  }

 private:
  Tracer& tracer_;
};

}  // namespace

struct TracedBlock::Values {
  Tracer tracer;
};

TracedBlock::TracedBlock(const Program& program, Launch launch, const Dim3& block, const TraceOptions& options) {
  const Dim3& grid = launch.configuration.grid;
  if (block.x >= grid.x || block.y >= grid.y || block.z >= grid.z) {
    throw InputError(tr("The grid has no such block."));
  }
  auto values = std::make_unique<Values>(Tracer(program, launch, block));
  TraceObserver observer(values->tracer);
  simt::ExecuteOptions execution{.schedule = simt::Schedule::Statement,
                                 .order = options.order,
                                 .orderSeed = options.orderSeed,
                                 .workers = 1,
                                 .onlyBlocks = {linear(block, grid)},
                                 .stop = options.stop};
  const std::array<simt::Observer*, 1> observers{&observer};
  simt::execute(program, launch, observers, execution);
  values_ = std::move(values);
}

TracedBlock::~TracedBlock() = default;
TracedBlock::TracedBlock(TracedBlock&&) noexcept = default;
TracedBlock& TracedBlock::operator=(TracedBlock&&) noexcept = default;

std::vector<std::int64_t> TracedBlock::written(ObjectId object) const { return values_->tracer.written(object); }

std::optional<OutputTrace> TracedBlock::trace(ObjectId object, std::int64_t element) const {
  return values_->tracer.trace(object, element);
}

std::optional<OutputTrace> traceOutput(const Program& program, Launch launch, const Dim3& block, ObjectId object,
                                       std::int64_t element, const TraceOptions& options) {
  return TracedBlock(program, std::move(launch), block, options).trace(object, element);
}

}  // namespace haloscope::provenance
