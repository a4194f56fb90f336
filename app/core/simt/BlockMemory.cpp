#include "simt/BlockMemory.h"

#include <bit>
#include <cstring>
#include <utility>

#include "program/Half.h"
#include "program/RealBits.h"

namespace haloscope::simt {
namespace {

constexpr int kPoison = 0xff;
constexpr std::size_t kLine = 64;

std::size_t roundedUp(std::size_t bytes, std::size_t to) { return (bytes + to - 1) / to * to; }

/// Writes the value into all lanes, in the register format of its type.
void fill(std::byte* reg, ValueType type, std::uint64_t bits) {
  const auto size = static_cast<std::size_t>(sizeInRegister(type));
  for (std::size_t lane = 0; lane < kWarpSize; ++lane) { std::memcpy(reg + lane * size, &bits, size); }
}

/// A pointer argument.
std::uint64_t pointerBits(const Launch& launch, std::size_t parameter, ObjectId object) {
  if (launch.offsets.empty()) { return PackedPointer::pack(object, 0); }
  const std::optional<std::int64_t>& offset = launch.offsets.at(parameter);
  return offset ? PackedPointer::pack(object, *offset) : PackedPointer::kNull;
}

}  // namespace

BlockMemory::BlockMemory(const DecodedProgram& decoded, const Launch& launch, const LaunchMemory& launchMemory)
    : decoded_(decoded),
      warps_(launch.configuration.warpsPerBlock()),
      warpStride_(roundedUp(decoded.layout.warpBytes, kLine)),
      warpRegisters_(warpStride_ * warps_),
      sharedRegisters_(decoded.layout.sharedBytes) {
  const SharedPlacement placement = placeShared(*decoded.program, launch.configuration.dynamicSharedBytes);
  shared_ = AlignedBytes(placement.bytes);
  objects_ = launchMemory.objects();
  for (std::size_t i = 0; i < objects_.size(); ++i) {
    ObjectView& object = objects_[i];
    if (object.space == MemorySpace::Shared) { object.data = shared_.data() + placement.offsets[i]; }
    if (object.space == MemorySpace::Local) {
      object.localOffset = localStride_;
      localStride_ = roundedUp(localStride_ + static_cast<std::size_t>(object.bytes) * kWarpSize, kLine);
    }
  }
  local_ = AlignedBytes(localStride_ * warps_);
  if (accessesCluster(*decoded.program) && inClusters(*decoded.program, launch.configuration)) {
    addRanks(clusterOf(*decoded.program, launch.configuration));
  }
  fillOnce(launch);
}

void BlockMemory::addRanks(const Dim3& cluster) {
  const std::size_t own = objects_.size();
  for (std::size_t rank = 0; rank < cluster.count(); ++rank) {
    for (std::size_t object = 0; object < own; ++object) {
      ObjectView view = objects_[object];
      if (view.space != MemorySpace::Shared) { view.data = nullptr, view.bytes = 0; }
      view.space = MemorySpace::Shared;
      view.pointerBits = PackedPointer::pack(static_cast<ObjectId>(objects_.size()), 0);
      objects_.push_back(view);
    }
  }
}

void BlockMemory::meetCluster(std::span<const BlockMemory* const> blocks) {
  const std::size_t own = decoded_.program->objects.size();
  if (objects_.size() == own) { return; }
  for (std::size_t rank = 0; rank < blocks.size(); ++rank) {
    for (std::size_t object = 0; object < own; ++object) {
      const ObjectView& theirs = blocks[rank]->objects_[object];
      if (theirs.space == MemorySpace::Shared) { objects_[(rank + 1) * own + object].data = theirs.data; }
    }
  }
}

std::byte* BlockMemory::at(RegisterId reg, std::uint32_t warp) {
  const Operand operand = decoded_.layout.operands[reg];
  std::byte* const base = decoded_.layout.isShared(reg) ? sharedRegisters() : warpRegisters(warp);
  return base + (operand & ~kSharedOperand);
}

void BlockMemory::fillOnce(const Launch& launch) {
  const Program& program = *decoded_.program;
  const Dim3 block = launch.configuration.block;
  const Dim3 grid = launch.configuration.grid;
  const Dim3 cluster = clusterOf(program, launch.configuration);
  for (RegisterId reg = 0; reg < program.registers.size(); ++reg) {
    const Register& info = program.registers[reg];
    if (info.kind == RegisterKind::Constant) { fill(at(reg, 0), info.type, registerBits(info.type, info.bits)); }
    if (info.kind != RegisterKind::Builtin) { continue; }
    const std::size_t component = componentOf(info.builtin);
    switch (vectorOf(info.builtin)) {
      case Builtin::ThreadIdxX:
        for (std::uint32_t thread = 0; thread < warps_ * kWarpSize; ++thread) {
          const std::uint32_t value = unlinear(thread, block).component(component);
          std::memcpy(at(reg, thread / kWarpSize) + (thread % kWarpSize) * sizeof value, &value, sizeof value);
        }
        break;
      case Builtin::BlockIdxX:
        blockIndices_.emplace_back(info.builtin, reg);
        break;
      case Builtin::BlockDimX:
        fill(at(reg, 0), info.type, block.component(component));
        break;
      case Builtin::GridDimX:
        fill(at(reg, 0), info.type, grid.component(component));
        break;
      default:
        fill(at(reg, 0), info.type, cluster.component(component));
        break;
    }
  }
  for (std::size_t i = 0; i < program.parameters.size(); ++i) {
    const Parameter& parameter = program.parameters[i];
    if (parameter.variable == kNone) { continue; }
    const RegisterId reg = program.variables.at(parameter.variable).reg;
    if (reg == kNone) { continue; }
    const std::uint64_t bits = parameter.object != kNone ? pointerBits(launch, i, parameter.object)
                                                         : registerBits(parameter.type, launch.arguments[i]);
    if (decoded_.layout.isShared(reg)) {
      fill(at(reg, 0), program.registers[reg].type, bits);
    } else {
      writtenArguments_.push_back({reg, bits});
    }
  }
}

void BlockMemory::beginBlock(const Dim3& block) {
  const RegisterLayout& layout = decoded_.layout;
  const std::vector<Register>& registers = decoded_.program->registers;
  for (const auto& [builtin, reg] : blockIndices_) {
    fill(at(reg, 0), registers[reg].type, block.component(componentOf(builtin)));
  }
  for (std::uint32_t warp = 0; warp < warps_; ++warp) {
    const std::size_t variables = layout.variablesEnd - layout.variablesBegin;
    if (variables != 0) { std::memset(warpRegisters(warp) + layout.variablesBegin, kPoison, variables); }
    for (const Argument& argument : writtenArguments_) {
      fill(at(argument.reg, warp), registers[argument.reg].type, argument.bits);
    }
  }
  if (shared_.size() != 0) { std::memset(shared_.data(), kPoison, shared_.size()); }
  if (local_.size() != 0) { std::memset(local_.data(), kPoison, local_.size()); }
}

}  // namespace haloscope::simt
