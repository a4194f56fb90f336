#include "state/Places.h"

#include <fmt/format.h>

namespace haloscope {

std::string threadText(std::uint32_t thread, const Dim3& block) {
  const Dim3 at = unlinear(thread, block);
  return block.z > 1 ? fmt::format("thread ({},{},{})", at.x, at.y, at.z) : fmt::format("thread ({},{})", at.x, at.y);
}

std::string pointText(const recording::GridPoint& at, std::size_t axes) {
  switch (axes) {
    case 0:
    case 1:
      return fmt::format("({})", at.x);
    case 2:
      return fmt::format("({},{})", at.y, at.x);
    default:
      return fmt::format("({},{},{})", at.z, at.y, at.x);
  }
}

}  // namespace haloscope
