#include "program/AccessedObjects.h"

namespace haloscope {

std::vector<bool> accessedObjects(const Program& program, AccessesOf accesses) {
  std::vector<bool> accessed(program.objects.size(), false);
  for (const Instruction& one : program.code) {
    const bool texel = one.fetch == FetchPart::Texel && one.aux == kNone;
    if (!isAccess(one.op) || !accesses.kind(one.op) || (texel && !accesses.texels)) { continue; }
    if (one.aux == kNone) { return std::vector<bool>(program.objects.size(), true); }
    accessed[one.aux] = true;
  }
  return accessed;
}

}  // namespace haloscope
