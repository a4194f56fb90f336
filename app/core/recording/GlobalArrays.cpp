#include "recording/GlobalArrays.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <vector>

namespace haloscope::recording {

namespace {

ObjectId mostUsed(const std::vector<std::size_t>& counts) {
  const auto most = std::max_element(counts.begin(), counts.end());
  return most == counts.end() || *most == 0 ? kNone : static_cast<ObjectId>(most - counts.begin());
}

}  // namespace

GlobalArrays findGlobalArrays(const Recording& recording) {
  std::vector<std::size_t> reads(recording.program->objects.size());
  std::vector<std::size_t> writes(reads.size());
  for (const AccessGroup& group : recording.accesses) {
    if (group.space != MemorySpace::Global) { continue; }
    (group.store ? writes : reads)[group.object] += static_cast<std::size_t>(std::popcount(group.lanes));
  }

  GlobalArrays arrays;
  arrays.output = mostUsed(writes);
  if (arrays.output != kNone) {
    std::vector<std::size_t> alike = reads;
    for (std::size_t object = 0; object < alike.size(); ++object) {
      if (recording.extents[object] != recording.extents[arrays.output]) { alike[object] = 0; }
    }
    arrays.input = mostUsed(alike);
  }
  if (arrays.input == kNone) { arrays.input = mostUsed(reads); }
  return arrays;
}

}  // namespace haloscope::recording
