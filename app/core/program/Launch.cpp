#include "program/Launch.h"

#include <fmt/format.h>

#include "language/Text.h"

namespace haloscope {

std::string extentText(const Dim3& extent) { return fmt::format("{}×{}×{}", extent.x, extent.y, extent.z); }

std::string text(const Dim3& index) { return fmt::format("({},{},{})", index.x, index.y, index.z); }

Dim3 clusterOf(const Program& program, const LaunchConfiguration& configuration) {
  const auto& declared = program.clusterDims;
  if (declared[0] != 0) { return {declared[0], declared[1], declared[2]}; }
  return configuration.cluster.count() == 0 ? Dim3{} : configuration.cluster;
}

bool inClusters(const Program& program, const LaunchConfiguration& configuration) {
  return usesClusters(program) || clusterOf(program, configuration).count() > 1;
}

std::string clusterProblem(const Program& program, const LaunchConfiguration& configuration) {
  const Dim3 cluster = clusterOf(program, configuration);
  const Dim3& asked = configuration.cluster;
  const bool asks = asked != Dim3{0, 0, 0};
  if (asks && asked.count() == 0) { return trf("a cluster of {} has no blocks", extentText(asked)); }
  if (program.clusterDims[0] != 0 && asks && asked != cluster) {
    return trf("{} has __cluster_dims__ of {} blocks, and the launch asks for clusters of {}", program.kernel,
               extentText(cluster), extentText(asked));
  }
  const std::uint64_t limit = configuration.clusterLimit;
  if (cluster.x > limit || cluster.y > limit || cluster.z > limit || cluster.count() > limit) {
    return trf("a cluster of {} is too large: it can have at most {} blocks{}", extentText(cluster), limit,
               limit < kMaxRaisedClusterBlocks
                   ? tr(", and more only where the host sets cudaFuncAttributeNonPortableClusterSizeAllowed")
                   : "");
  }
  const Dim3& grid = configuration.grid;
  if (grid.x % cluster.x == 0 && grid.y % cluster.y == 0 && grid.z % cluster.z == 0) { return {}; }
  const auto whole = [](std::uint32_t blocks, std::uint32_t of) { return (blocks + of - 1) / of * of; };
  const Dim3 next{whole(grid.x, cluster.x), whole(grid.y, cluster.y), whole(grid.z, cluster.z)};
  return trf("a grid of {} blocks cannot be divided into clusters of {}; launch {} blocks", extentText(grid),
             extentText(cluster), extentText(next));
}

}  // namespace haloscope
