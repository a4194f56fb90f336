#include "figures/AccessShape.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>

#include "language/Text.h"
#include "program/Program.h"

namespace haloscope::figures {

namespace {

// Fewer are one output a thread, and some threads that only load.
constexpr double kSeveral = 1.5;

/// The instructions that a launch has executed.
class Executed {
 public:
  explicit Executed(const experiment::Experiment& experiment)
      : program_(*experiment.program), statements_(statementOfInstructions(program_)), experiment_(experiment) {}

  [[nodiscard]] bool ran(std::size_t index) const {
    const Instruction& one = program_.code[index];
    if (isAccess(one.op) && space(one) == MemorySpace::Global && beginsRequest(one)) {
      return experiment_.requests.instructions[index].globalRequests > 0;
    }
    const StatementId statement = statements_[index];
    return statement != kNone && experiment_.grid.statements[statement].lanes > 0;
  }
  /// Of an access. A pointer of unknown origin points into global memory.
  [[nodiscard]] MemorySpace space(const Instruction& access) const {
    return access.aux == kNone ? MemorySpace::Global : program_.objects[access.aux].space;
  }

 private:
  static bool beginsRequest(const Instruction& access) { return analysis::beginsRequest(access); }

  const Program& program_;
  std::vector<StatementId> statements_;
  const experiment::Experiment& experiment_;
};

/// The index of the EndLoop.
std::size_t endOfLoop(const Program& program, std::size_t loop) {
  int depth = 0;
  for (std::size_t i = loop; i < program.code.size(); ++i) {
    if (program.code[i].op == Opcode::Loop) { ++depth; }
    if (program.code[i].op == Opcode::EndLoop && --depth == 0) { return i; }
  }
  return program.code.size();
}

/// Whether the loop's body reads a floating-point variable, or an array of the thread, before it writes it: what the
/// last turn left there.
bool keepsValues(const Program& program, const Executed& executed, std::size_t begin, std::size_t end) {
  std::set<RegisterId> written, kept;
  std::set<ObjectId> stored, keptArrays;
  for (std::size_t i = begin; i < end; ++i) {
    const Instruction& one = program.code[i];
    if (!executed.ran(i)) { continue; }
    for (const RegisterId operand : {one.a, one.b, one.c}) {
      if (operand >= program.registers.size()) { continue; }
      const Register& reg = program.registers[operand];
      const bool carried = reg.kind == RegisterKind::Variable && isFloating(reg.type);
      if (carried && !written.contains(operand)) { kept.insert(operand); }
    }
    const bool local = isAccess(one.op) && executed.space(one) == MemorySpace::Local && isFloating(one.type);
    if (local && one.op == Opcode::Load && !stored.contains(one.aux)) { keptArrays.insert(one.aux); }
    if (local && one.op == Opcode::Store) { stored.insert(one.aux); }
    if (one.dst != kNone && one.op != Opcode::Store) { written.insert(one.dst); }
  }
  return std::ranges::any_of(kept, [&](RegisterId reg) { return written.contains(reg); }) ||
         std::ranges::any_of(keptArrays, [&](ObjectId array) { return stored.contains(array); });
}

/// Loads and stores that a loop makes in global memory.
void addLoop(const Program& program, const Executed& executed, std::size_t begin, AccessShape& shape) {
  const std::size_t end = endOfLoop(program, begin);
  bool loads = false, stores = false;
  for (std::size_t i = begin; i < end; ++i) {
    const Instruction& one = program.code[i];
    if (!isAccess(one.op) || executed.space(one) != MemorySpace::Global || !executed.ran(i)) { continue; }
    (one.op == Opcode::Load ? loads : stores) = true;
  }
  if (!loads || !stores) { return; }
  shape.marches = true;
  shape.queue = shape.queue || keepsValues(program, executed, begin + 1, end);
}

}  // namespace

AccessShape accessShape(const experiment::Experiment& experiment) {
  const Program& program = *experiment.program;
  const Executed executed(experiment);
  AccessShape shape;
  const std::vector<StatementId> statements = statementOfInstructions(program);
  std::set<StatementId> storeShared, loadGlobal;
  for (std::size_t i = 0; i < program.code.size(); ++i) {
    const Instruction& one = program.code[i];
    if (one.op == Opcode::Loop) { addLoop(program, executed, i, shape); }
    if (!executed.ran(i)) { continue; }
    if (one.op == Opcode::Shuffle) { shape.shuffles = true; }
    if (!isAccess(one.op)) { continue; }
    const MemorySpace space = executed.space(one);
    if (space == MemorySpace::Shared) { shape.shared = true; }
    if (space == MemorySpace::Shared && one.op == Opcode::Store) { storeShared.insert(statements[i]); }
    if (space == MemorySpace::Global && one.op == Opcode::Load) { loadGlobal.insert(statements[i]); }
    if (space == MemorySpace::Constant && isFloating(one.type)) { shape.constants = true; }
    if (one.async) { shape.asynchronous = true; }
    const bool vector = accessBytes(one) > sizeInMemory(one.type);
    if (space == MemorySpace::Global && one.op == Opcode::Load && vector) { shape.vectors = true; }
  }
  shape.mixed = shape.shared && !shape.asynchronous && !std::ranges::includes(storeShared, loadGlobal);
  std::uint64_t stores = 0;
  for (std::size_t object = 0; object < program.objects.size(); ++object) {
    if (program.objects[object].space == MemorySpace::Global) { stores += experiment.grid.objects[object].stores; }
  }
  const auto threads = static_cast<double>(experiment.grid.threads);
  shape.outputsPerThread = threads == 0 ? 0 : static_cast<double>(stores) / threads;
  shape.loadsPerOutput = analysis::globalLoadsPerStore(experiment.grid, program);
  return shape;
}

std::vector<std::string> wordsOf(const AccessShape& shape, bool coefficients) {
  std::vector<std::string> words;
  if (shape.shared) {
    words.emplace_back(shape.asynchronous ? tr("copies asynchronously into shared memory")
                                          : tr("reads through shared memory"));
  }
  if (shape.vectors) { words.emplace_back(tr("loads vectors")); }
  if (shape.shuffles) { words.emplace_back(tr("takes neighbours from other lanes")); }
  if (shape.marches) { words.emplace_back(tr("marches through the grid")); }
  if (shape.queue) { words.emplace_back(tr("keeps values in registers from turn to turn")); }
  if (shape.outputsPerThread > kSeveral) { words.push_back(trf("{:.3g} outputs per thread", shape.outputsPerThread)); }
  if (coefficients && shape.constants) { words.emplace_back(tr("reads coefficients from constant memory")); }
  return words;
}

double distance(const AccessShape& one, const AccessShape& other) {
  struct Way {
    bool AccessShape::* is;
    double weight;
  };
  // A loop over outputs is not much of an idea: what it keeps from turn to turn is.
  constexpr std::array kWays = {Way{&AccessShape::shared, 1.5},  Way{&AccessShape::asynchronous, 1},
                                Way{&AccessShape::vectors, 1},   Way{&AccessShape::shuffles, 1},
                                Way{&AccessShape::marches, 0.5}, Way{&AccessShape::queue, 1},
                                Way{&AccessShape::constants, 1}, Way{&AccessShape::mixed, 0.5}};
  double sum = (one.outputsPerThread > kSeveral) == (other.outputsPerThread > kSeveral) ? 0 : 0.5;
  for (const auto& [is, weight] : kWays) { sum += one.*is == other.*is ? 0 : weight; }
  // Twice the loads count like nearly half a way, and no number more than that.
  if (one.loadsPerOutput > 0 && other.loadsPerOutput > 0) {
    sum += std::min(0.45, 0.4 * std::abs(std::log2(one.loadsPerOutput / other.loadsPerOutput)));
  }
  return sum;
}

}  // namespace haloscope::figures
