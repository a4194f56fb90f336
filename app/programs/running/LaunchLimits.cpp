#include "running/LaunchLimits.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "language/Capital.h"
#include "language/Text.h"
#include "program/Launch.h"

namespace haloscope::running {

namespace {

/// Kernels whose limit is raised: a process could name them without end.
constexpr std::size_t kMostRaised = 4096;

std::string sizes(const Dim3& of) { return fmt::format("{}×{}×{}", of.x, of.y, of.z); }

std::int64_t declaredBytes(const ProgramLaunch& launch) { return launch.program ? launch.program->sharedBytes() : 0; }

}  // namespace

bool LaunchLimits::raiseDynamicShared(const std::string& symbol, std::int64_t bytes) {
  const auto most = device_.properties.find("sharedMemPerBlockOptin");
  if (bytes < 0 || (most != device_.properties.end() && bytes > most->second)) { return false; }
  if (dynamicShared_.size() < kMostRaised) { dynamicShared_[symbol] = bytes; }
  return true;
}

std::int64_t LaunchLimits::sharedBytesOf(const std::string& symbol) const {
  const auto raised = dynamicShared_.find(symbol);
  return raised == dynamicShared_.end() ? kMaxSharedBytesPerBlock
                                        : std::max<std::int64_t>(raised->second, kMaxSharedBytesPerBlock);
}

std::string LaunchLimits::beyondLimit(const ProgramLaunch& launch) const {
  const Dim3& grid = launch.configuration.grid;
  const Dim3& block = launch.configuration.block;
  if (block.count() == 0) { return trf("The block {} has no threads: nothing is launched.", sizes(block)); }
  if (grid.count() == 0) { return trf("The grid {} has no blocks: nothing is launched.", sizes(grid)); }
  if (block.x > kMaxThreadsPerBlock || block.y > kMaxThreadsPerBlock || block.count() > kMaxThreadsPerBlock) {
    return trf("The block {} has {} threads; a block can have at most {}: nothing is launched.", sizes(block),
               block.count(), kMaxThreadsPerBlock);
  }
  if (launch.program && launch.program->maxThreads > 0 && block.count() > launch.program->maxThreads) {
    return trf("The block {} has {} threads; the __launch_bounds__ of {} allow {}: nothing is launched.", sizes(block),
               block.count(), launch.kernel, launch.program->maxThreads);
  }
  if (block.z > kMaxBlockZ) {
    return trf("The block {} is {} threads deep; at most {} are possible: nothing is launched.", sizes(block), block.z,
               kMaxBlockZ);
  }
  if (grid.x > 0x7fffffffU || grid.y > 65535 || grid.z > 65535) {
    return trf("The grid {} is too large; at most 2147483647×65535×65535 blocks are possible: nothing is launched.",
               sizes(grid));
  }
  const std::int64_t limit = sharedBytesOf(launch.symbol);
  const std::int64_t declared = declaredBytes(launch);
  const std::int64_t shared = launch.configuration.dynamicSharedBytes;
  if (shared + declared > limit) {
    return trf(
        "A block needs {} bytes of shared memory ({} declared, {} dynamic), and has at most {}{}: nothing is "
        "launched.",
        shared + declared, declared, shared, limit,
        dynamicShared_.contains(launch.symbol) ? "" : tr(" without cudaFuncSetAttribute"));
  }
  return {};
}

void LaunchLimits::allowLargeClusters(const std::string& symbol, bool allowed) {
  if (!allowed) {
    largeClusters_.erase(symbol);
  } else if (largeClusters_.size() < kMostRaised) {
    largeClusters_.insert(symbol);
  }
}

std::uint64_t LaunchLimits::clusterBlocksOf(const std::string& symbol) const {
  return largeClusters_.contains(symbol) ? kMaxRaisedClusterBlocks : kMaxClusterBlocks;
}

std::string LaunchLimits::beyondClusters(const ProgramLaunch& launch) {
  std::string problem = launch.program ? clusterProblem(*launch.program, launch.configuration) : "";
  if (problem.empty()) { return {}; }
  return trf("{}: nothing is launched.", capitalised(std::move(problem)));
}

std::int64_t LaunchLimits::property(const char* name, std::int64_t otherwise) const {
  const auto known = device_.properties.find(name);
  return known == device_.properties.end() || known->second <= 0 ? otherwise : known->second;
}

std::int64_t LaunchLimits::blocksPerMultiprocessor(std::int64_t threads, std::int64_t shared) const {
  const std::int64_t blocks =
      std::min(property("maxThreadsPerMultiProcessor", 2048) / threads, property("maxBlocksPerMultiProcessor", 32));
  return shared > 0 ? std::min(blocks, property("sharedMemPerMultiprocessor", 100 << 10) / shared) : blocks;
}

std::string LaunchLimits::tooManyTogether(const ProgramLaunch& launch) const {
  const std::int64_t multiprocessors = property("multiProcessorCount", 0);
  const LaunchConfiguration& configuration = launch.configuration;
  if (!configuration.cooperative || multiprocessors == 0) { return {}; }
  const std::int64_t each = blocksPerMultiprocessor(static_cast<std::int64_t>(configuration.threadsPerBlock()),
                                                    configuration.dynamicSharedBytes + declaredBytes(launch));
  if (configuration.grid.count() <= static_cast<std::uint64_t>(each * multiprocessors)) { return {}; }
  return trf(
      "A cooperative launch of {} blocks is too large: {} holds {} at once, {} on each of {} multiprocessors: nothing "
      "is launched.",
      configuration.grid.count(), device_.name, each * multiprocessors, each, multiprocessors);
}

}  // namespace haloscope::running
