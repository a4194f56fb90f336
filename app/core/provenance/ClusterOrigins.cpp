#include "provenance/ClusterOrigins.h"

#include <bit>

#include "program/ObjectSize.h"
#include "simt/Warp.h"

namespace haloscope::provenance {

ClusterOrigins::ClusterOrigins(const Program& program, const Launch& launch) : program_(program) {
  const LaunchConfiguration& configuration = launch.configuration;
  Block block{CopyOrigins(program, configuration.warpsPerBlock()), {}};
  const std::size_t threads = std::size_t{configuration.warpsPerBlock()} * kWarpSize;
  for (ObjectId object = 0; object < program.objects.size(); ++object) {
    const MemorySpace space = program.objects[object].space;
    const bool own = space == MemorySpace::Shared || space == MemorySpace::Local;
    const auto count = static_cast<std::size_t>(own ? elementCount(program, launch, object) : 0);
    block.cells.emplace_back(space == MemorySpace::Local ? count * threads : count);
  }
  blocks_.reserve(clusterOf(program, configuration).count());
  while (blocks_.size() < clusterOf(program, configuration).count()) { blocks_.push_back(block); }
}

void ClusterOrigins::instruction(const simt::WarpContext& context, std::uint32_t at) {
  const Instruction& instruction = program_.code[at];
  if (instruction.dst == kNone) { return; }
  CopyOrigins& origins = blocks_[context.cluster.rank].origins;
  if (instruction.op == Opcode::Shuffle) {
    return origins.exchange(context.warp, instruction, context.active, ShuffleSources(context, instruction));
  }
  LaneMask chosen = 0;
  for (int lane = 0; origins.needsChoice(instruction) && lane < kWarpSize; ++lane) {
    chosen |= static_cast<LaneMask>(context.state->bits(instruction.a, lane) & 1U) << lane;
  }
  origins.follow(context.warp, instruction, context.active, chosen);
}

void ClusterOrigins::access(const simt::WarpContext& context, const simt::MemoryAccess& access) {
  accessOf(context, access, context.cluster.rank);
}

void ClusterOrigins::clusterAccess(const simt::WarpContext& context, const simt::MemoryAccess& access,
                                   std::uint32_t rank) {
  accessOf(context, access, rank);
}

void ClusterOrigins::accessOf(const simt::WarpContext& context, const simt::MemoryAccess& access, std::uint32_t rank) {
  const Instruction& instruction = program_.code[access.instruction];
  CopyOrigins& origins = blocks_[context.cluster.rank].origins;
  std::vector<Origin>& cells = blocks_[rank].cells[access.object];
  for (LaneMask lanes = access.lanes; lanes != 0; lanes &= lanes - 1) {
    const int lane = std::countr_zero(lanes);
    const std::int64_t element = access.index[static_cast<std::size_t>(lane)];
    auto index = static_cast<std::size_t>(element);
    if (access.space == MemorySpace::Local) {
      const std::size_t thread = std::size_t{context.warp} * kWarpSize + static_cast<std::size_t>(lane);
      index += thread * static_cast<std::size_t>(program_.objects[access.object].elementCount());
    }
    const bool cell = index < cells.size();
    if (access.store) {
      if (!cell) { continue; }
      cells[index] = instruction.op == Opcode::Store ? origins.operand(context.warp, instruction.b, lane).origin
                                                     : Origin{Origin::Kind::Computed, kNone, 0};
      continue;
    }
    Provenance from;
    from.origin = cell                                    ? cells[index]
                  : access.space == MemorySpace::Global   ? Origin{Origin::Kind::Element, access.object, element}
                  : access.space == MemorySpace::Constant ? Origin{Origin::Kind::Constant, kNone, 0}
                                                          : Origin{};
    origins.load(context.warp, instruction.dst, lane, from);
  }
}

}  // namespace haloscope::provenance
