#include "codegen/Carried.h"

#include "simt/DecodedProgram.h"

namespace haloscope::codegen {
namespace {

/// Of an access: what only the interpreter does.
std::string notCarriedOf(const Program& program, const Instruction& access, bool hasLocal) {
  if (access.async || access.ofCopy) { return "asynchronous copies"; }
  if (access.mapped) { return "the memory of other blocks of a cluster"; }
  if (access.aux == kNone) { return hasLocal ? "pointers that may be to a local array or to another one" : ""; }
  const MemoryObject& object = program.objects[access.aux];
  if (object.space != MemorySpace::Local) { return {}; }
  if (isAtomic(access.op)) { return "atomics on local arrays"; }
  const bool same = sizeInMemory(object.element) == sizeInMemory(access.type) && access.type != ValueType::F16;
  return same ? "" : "local arrays accessed as another type";
}

}  // namespace

std::string notCarried(const Program& program, const machine::KernelShape& launch) {
  if (inClusters(program, launch.configuration)) { return "clusters of blocks"; }
  bool hasLocal = false;
  for (const MemoryObject& object : program.objects) {
    hasLocal |= object.space == MemorySpace::Local;
    if (object.tensorMap) { return "tensor maps"; }
  }
  for (const Instruction& instruction : program.code) {
    switch (instruction.op) {
      case Opcode::CopyCommit:
      case Opcode::CopyWait:
        return "asynchronous copies";
      case Opcode::MemoryBarrier:
        return "barriers in shared memory";
      case Opcode::MapShared:
      case Opcode::MappedRank:
        return "the memory of other blocks of a cluster";
      case Opcode::BarrierVote:
        return "votes of a block";
      case Opcode::Barrier:
        if (barrierKind(instruction) != BarrierKind::Block || instruction.a != kNone) {
          return "barriers of a grid, or with a vote";
        }
        break;
      default:
        break;
    }
    if (!isAccess(instruction.op)) { continue; }
    if (std::string why = notCarriedOf(program, instruction, hasLocal); !why.empty()) { return why; }
  }
  for (const simt::Node& node : simt::decode(program, {}).nodes) {
    if (node.maySpin) { return "loops that may wait for other threads"; }
  }
  return {};
}

}  // namespace haloscope::codegen
