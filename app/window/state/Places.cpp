#include "state/Places.h"

#include <fmt/format.h>

#include "language/Text.h"

namespace haloscope {

std::string threadText(std::uint32_t thread, const Dim3& block) {
  const Dim3 at = unlinear(thread, block);
  if (block.z > 1) { return trf("thread x={} y={} z={}", at.x, at.y, at.z); }
  if (block.y > 1) { return trf("thread x={} y={}", at.x, at.y); }
  return trf("thread {}", at.x);
}

std::string pointText(const recording::GridPoint& at, std::size_t axes) {
  switch (axes) {
    case 0:
    case 1:
      return fmt::format("{}", at.x);
    case 2:
      return fmt::format("y={} x={}", at.y, at.x);
    default:
      return fmt::format("z={} y={} x={}", at.z, at.y, at.x);
  }
}

}  // namespace haloscope
