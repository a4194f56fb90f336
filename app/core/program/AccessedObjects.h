#pragma once

#include <vector>

#include "program/Program.h"

namespace haloscope {

/// The object that an access is to; kNone if it is unknown, and for instructions that access nothing: what else
/// Instruction::aux counts is no object.
[[nodiscard]] constexpr ObjectId accessedObject(const Instruction& instruction) {
  return isAccess(instruction.op) ? instruction.aux : kNone;
}

/// Which accesses of a kernel's code count.
struct AccessesOf {
  bool (*kind)(Opcode);  ///< readsMemory or writesMemory
  bool texels = true;    ///< those of textures and surfaces, too, whose memory only a launch knows
};

/// For each object whether the code accesses it. An access through a pointer that may be to any counts for all.
[[nodiscard]] std::vector<bool> accessedObjects(const Program& program, AccessesOf accesses);

[[nodiscard]] inline std::vector<bool> readObjects(const Program& program, bool texels = true) {
  return accessedObjects(program, {.kind = readsMemory, .texels = texels});
}

}  // namespace haloscope
