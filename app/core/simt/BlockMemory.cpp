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

/// The layout of a block's objects in the worker's storage.
struct Placement {
  std::vector<ObjectView> objects;
  std::vector<std::size_t> sharedOffsets;
  std::size_t sharedBytes = 0;
  std::size_t localBytes = 0;  ///< per warp
};

/// Declared shared arrays are consecutive; all `extern __shared__` arrays begin at the same offset behind them.
Placement place(const Program& program, const Launch& launch, const LaunchMemory& launchMemory) {
  constexpr std::size_t kAlignment = 16;
  Placement placement;
  placement.objects = launchMemory.objects();
  placement.sharedOffsets.assign(program.objects.size(), 0);
  for (std::size_t i = 0; i < program.objects.size(); ++i) {
    ObjectView& object = placement.objects[i];
    if (object.space == MemorySpace::Local) {
      object.localOffset = placement.localBytes;
      placement.localBytes = roundedUp(placement.localBytes + object.bytes * kWarpSize, kLine);
    } else if (object.space == MemorySpace::Shared && !program.objects[i].extentsAtLaunch) {
      placement.sharedOffsets[i] = placement.sharedBytes;
      placement.sharedBytes = roundedUp(placement.sharedBytes + object.bytes, kAlignment);
    }
  }
  for (std::size_t i = 0; i < program.objects.size(); ++i) {
    const bool dynamic = program.objects[i].space == MemorySpace::Shared && program.objects[i].extentsAtLaunch;
    if (dynamic) { placement.sharedOffsets[i] = placement.sharedBytes; }
  }
  placement.sharedBytes += static_cast<std::size_t>(launch.configuration.dynamicSharedBytes);
  return placement;
}

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

/// The bits of a value in register format: narrow types are extended.
std::uint64_t extended(ValueType type, std::uint64_t bits) {
  if (type == ValueType::Bool) { return (bits & 0xff) != 0 ? 1 : 0; }
  if (type == ValueType::F16) { return std::bit_cast<std::uint32_t>(halfValue(static_cast<std::uint16_t>(bits))); }
  return isFloating(type) ? bits : integerOf(type, bits);
}

}  // namespace

BlockMemory::BlockMemory(const DecodedProgram& decoded, const Launch& launch, const LaunchMemory& launchMemory)
    : decoded_(decoded),
      warps_(launch.configuration.warpsPerBlock()),
      warpStride_(roundedUp(decoded.layout.warpBytes, kLine)),
      warpRegisters_(warpStride_ * warps_),
      sharedRegisters_(decoded.layout.sharedBytes) {
  Placement placement = place(*decoded.program, launch, launchMemory);
  localStride_ = placement.localBytes;
  local_ = AlignedBytes(localStride_ * warps_);
  shared_ = AlignedBytes(placement.sharedBytes);
  objects_ = std::move(placement.objects);
  for (std::size_t i = 0; i < objects_.size(); ++i) {
    if (objects_[i].space == MemorySpace::Shared) { objects_[i].data = shared_.data() + placement.sharedOffsets[i]; }
  }
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
    if (info.kind == RegisterKind::Constant) { fill(at(reg, 0), info.type, extended(info.type, info.bits)); }
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
                                                         : extended(parameter.type, launch.arguments[i]);
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
