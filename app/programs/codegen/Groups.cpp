#include "codegen/Groups.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "codegen/BlockContext.h"
#include "codegen/Constructs.h"
#include "codegen/Flow.h"
#include "codegen/Shapes.h"
#include "simt/Structure.h"

namespace haloscope::codegen {
namespace {

constexpr std::uint32_t kGroupLanes = 2 * kWarpSize;

/// An access, and one of the same array that may come later, before a barrier; one of them writes.
struct Pair {
  std::uint32_t earlier = 0, later = 0;
};

/// Unrolled by hand, a kernel may have so many that to compare them takes longer than to execute it.
constexpr std::size_t kMostPairs = 4096;

/// None if accesses are not known by their arrays, or are atomics, whose results tell the order; or if there are too
/// many.
std::optional<std::vector<Pair>> pairsOf(const Program& program, const Flow& flow) {
  const std::vector<Instruction>& code = program.code;
  const std::vector<bool> written = writtenObjects(program);
  std::vector<bool> matters(code.size(), false);
  for (std::uint32_t at = 0; at < code.size(); ++at) {
    if (!isAccess(code[at].op)) { continue; }
    if (code[at].aux == kNone || isAtomic(code[at].op)) { return {}; }
    matters[at] = written[code[at].aux] && program.objects[code[at].aux].space != MemorySpace::Local;
  }
  std::vector<Pair> pairs;
  for (std::uint32_t earlier = 0; earlier < code.size(); ++earlier) {
    if (!matters[earlier]) { continue; }
    std::vector<bool> seen(code.size(), false);
    std::vector<std::uint32_t> next = flow.successors(earlier);
    while (!next.empty()) {
      const std::uint32_t at = next.back();
      next.pop_back();
      if (seen[at] || code[at].op == Opcode::Barrier) { continue; }
      seen[at] = true;
      if (matters[at] && code[at].aux == code[earlier].aux &&
          (code[at].op == Opcode::Store || code[earlier].op == Opcode::Store)) {
        pairs.push_back({.earlier = earlier, .later = at});
        if (pairs.size() > kMostPairs) { return {}; }
      }
      const std::vector<std::uint32_t> further = flow.successors(at);
      next.insert(next.end(), further.begin(), further.end());
    }
  }
  return pairs;
}

/// Whether what a group's second warp accesses first is never what its first warp accesses after that.
bool areApart(const Program& program, const Shapes& shapes, const Pair& pair, std::uint32_t lanes) {
  const Instruction &earlier = program.code[pair.earlier], &later = program.code[pair.later];
  const Shape &second = shapes.shapeRead(pair.earlier, earlier.a), &first = shapes.shapeRead(pair.later, later.a);
  if (!first.known() || !second.known()) { return false; }
  for (std::uint32_t b = kWarpSize; b < lanes; ++b) {
    for (std::uint32_t a = 0; a < kWarpSize; ++a) {
      const auto ahead = static_cast<std::int64_t>(*second.base + static_cast<std::uint64_t>(second.lane[b]) -
                                                   *first.base - static_cast<std::uint64_t>(first.lane[a]));
      if (ahead < sizeInMemory(later.type) && -ahead < sizeInMemory(earlier.type)) { return false; }
    }
  }
  return true;
}

/// Which lanes of a group may execute an instruction, as far as conditions on threadIdx say.
class MayExecute {
 public:
  MayExecute(const Program& program, const Shapes& shapes) : program_(program), shapes_(shapes) {
    std::vector<GroupMask> open{~GroupMask{0}};
    conditions_.assign(shapes.values().size(), ~GroupMask{0});
    for (std::uint32_t at = 0; at < program.code.size(); ++at) {
      const Instruction& instruction = program.code[at];
      const ValueId written = shapes.writtenBy(at);
      if (written != kNone && shapes[written].writes.size() == 1) { conditions_[written] = resultOf(at); }
      lanes_.push_back(open.back());
      if (instruction.op == Opcode::If) {
        open.push_back(open.back() & read(at, instruction.a));
      } else if (instruction.op == Opcode::Else) {
        open.back() = open[open.size() - 2];
      } else if (instruction.op == Opcode::EndIf) {
        open.pop_back();
      }
    }
  }

  [[nodiscard]] GroupMask operator[](std::uint32_t at) const { return lanes_[at]; }

 private:
  [[nodiscard]] GroupMask read(std::uint32_t at, RegisterId reg) const { return conditions_[shapes_.readBy(at, reg)]; }

  /// The lanes in which a condition may hold.
  [[nodiscard]] GroupMask resultOf(std::uint32_t at) const {
    const Instruction& instruction = program_.code[at];
    switch (instruction.op) {
      case Opcode::And:
        return read(at, instruction.a) & read(at, instruction.b);
      case Opcode::Or:
        return read(at, instruction.a) | read(at, instruction.b);
      case Opcode::Assign:
        return read(at, instruction.a);
      case Opcode::Equal:
      case Opcode::Less:
      case Opcode::LessEqual:
      case Opcode::Greater:
      case Opcode::GreaterEqual:
        break;
      default:
        return ~GroupMask{0};
    }
    const Shape &a = shapes_.shapeRead(at, instruction.a), &b = shapes_.shapeRead(at, instruction.b);
    if (!a.known() || !b.known()) { return ~GroupMask{0}; }
    GroupMask lanes = 0;
    for (std::uint32_t lane = 0; lane < kGroupLanes; ++lane) {
      const auto x = static_cast<std::int32_t>(*a.base + static_cast<std::uint64_t>(a.lane[lane]));
      const auto y = static_cast<std::int32_t>(*b.base + static_cast<std::uint64_t>(b.lane[lane]));
      const bool holds = instruction.op == Opcode::Equal       ? x == y
                         : instruction.op == Opcode::Less      ? x < y
                         : instruction.op == Opcode::LessEqual ? x <= y
                         : instruction.op == Opcode::Greater   ? x > y
                                                               : x >= y;
      if (holds) { lanes |= GroupMask{1} << lane; }
    }
    return lanes;
  }

  const Program& program_;
  const Shapes& shapes_;
  std::vector<GroupMask> conditions_;  ///< by value: all lanes if nothing is known
  std::vector<GroupMask> lanes_;       ///< by instruction
};

/// Whether lanes access memory as regularly in groups as in warps: what is one row for each warp may be two rows, and a
/// choice between rows then differs between lanes, which makes a vector's load one load for each lane.
bool staysRegular(const Program& program, const machine::KernelShape& launch, const simt::Structure& structure) {
  Constructs ofWarps(program), ofGroups(program);
  const Shapes warps(program, launch, 1, ofWarps, structure), groups(program, launch, 2, ofGroups, structure);
  for (std::uint32_t at = 0; at < program.code.size(); ++at) {
    const Instruction& access = program.code[at];
    if (!isAccess(access.op)) { continue; }
    if (warps.shapeRead(at, access.a).affine() && !groups.shapeRead(at, access.a).affine()) { return false; }
  }
  return true;
}

/// Whether the warps of a group compute the same in turns as one after the other, the second one being ahead of the
/// first by as much as that has left to do before the next barrier; and whether mostly both have something to do.
bool goTogether(const Program& program, const machine::KernelShape& launch) {
  const simt::Structure structure(program);
  const Constructs constructs(program);
  const auto pairs = pairsOf(program, Flow(program, constructs, structure));
  if (!pairs || !staysRegular(program, launch, structure)) { return false; }
  const std::uint32_t threads = launch.configuration.threadsPerBlock();
  std::uint64_t alone = 0, together = 0;
  for (std::uint32_t group = 0; group * kGroupLanes < threads; ++group) {
    Constructs own(program);
    const Shapes shapes(program, launch, 2, own, structure, group);
    const std::uint32_t lanes = std::min(threads - group * kGroupLanes, kGroupLanes);
    for (const Pair& pair : *pairs) {
      if (!areApart(program, shapes, pair, lanes)) { return false; }
    }
    const MayExecute may(program, shapes);
    for (std::uint32_t at = 0; at < program.code.size(); ++at) {
      const bool first = static_cast<LaneMask>(may[at]) != 0, second = may[at] >> kWarpSize != 0;
      alone += static_cast<unsigned>(first) + static_cast<unsigned>(second);
      together += first || second ? 2 : 0;
    }
  }
  constexpr std::uint64_t kMostPercent = 115;
  return together * 100 <= alone * kMostPercent;
}

/// Whether every group has two warps, and its lanes are as regular as theirs.
bool isRegular(const machine::KernelShape& launch) {
  const Dim3& block = launch.configuration.block;
  const std::uint64_t plane = std::uint64_t{block.x} * block.y;
  const auto divides = [](std::uint64_t row) { return row % kGroupLanes == 0 || kGroupLanes % row == 0; };
  return launch.configuration.warpsPerBlock() % 2 == 0 && (block.y * block.z == 1 || divides(block.x)) &&
         (block.z == 1 || divides(plane));
}

}  // namespace

unsigned warpsTogether(const Program& program, const machine::KernelShape& launch) {
  // As doubles the values of two warps do not fit into registers.
  const bool hasDoubles = std::ranges::any_of(program.registers, [](const Register& reg) {
    return reg.type == ValueType::F64 && reg.kind != RegisterKind::Constant;
  });
  return !hasDoubles && isRegular(launch) && goTogether(program, launch) ? 2 : 1;
}

}  // namespace haloscope::codegen
