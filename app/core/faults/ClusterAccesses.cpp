#include "faults/ClusterAccesses.h"

#include <algorithm>
#include <bit>
#include <tuple>

#include <fmt/format.h>

#include "analysis/ElementName.h"
#include "language/Text.h"

namespace haloscope::faults {

ClusterAccesses::ClusterAccesses(const Program& program, const Launch& launch)
    : program_(program), launch_(launch), granules_(program, launch) {}

bool ClusterAccesses::listensTo(std::uint32_t instruction) const {
  const Instruction& code = program_.code[instruction];
  return isAccess(code.op) && (code.aux == kNone || program_.objects[code.aux].space == MemorySpace::Shared);
}

std::unique_ptr<simt::Observer> ClusterAccesses::fork() const {
  return std::make_unique<ClusterAccesses>(program_, launch_);
}

void ClusterAccesses::meetCluster(std::span<Observer* const> forks) {
  auto& first = static_cast<ClusterAccesses&>(*forks.front());
  if (first.cluster_ == nullptr) {
    first.cluster_ = std::make_shared<Cluster>();
    first.cluster_->uses.assign(forks.size(), std::vector<std::vector<Uses>>(program_.objects.size()));
    first.cluster_->blocks.resize(forks.size());
    first.cluster_->passed.resize(forks.size());
    first.cluster_->visits.resize(forks.size());
  }
  cluster_ = first.cluster_;
}

void ClusterAccesses::blockBegins(const Dim3& block, std::uint64_t blockLinear) {
  cluster_->blocks[rankInCluster(block, clusterOf(program_, launch_.configuration))] = blockLinear;
}

void ClusterAccesses::access(const simt::WarpContext& context, const simt::MemoryAccess& access) {
  if (access.space == MemorySpace::Shared && !program_.code[access.instruction].async) {
    touch(context, access, context.cluster.rank);
  }
}

void ClusterAccesses::copyArrived(const simt::WarpContext& context, const simt::MemoryAccess& access,
                                  std::uint32_t /*copy*/) {
  touch(context, access, context.cluster.rank);
}

void ClusterAccesses::clusterAccess(const simt::WarpContext& context, const simt::MemoryAccess& access,
                                    std::uint32_t rank) {
  touch(context, access, rank);
  const int lane = std::countr_zero(access.lanes);
  Place place;
  place.occurrences = static_cast<std::uint64_t>(std::popcount(access.lanes));
  place.first = {context.blockLinear, context.warp * kWarpSize + static_cast<std::uint32_t>(lane), access.instruction};
  place.owner = cluster_->blocks[rank];
  place.object = access.object;
  place.granule = access.index[static_cast<std::size_t>(lane)] * granules_.perLane(access);
  place.interval = context.interval;
  if (context.cluster.passed == 0) { note(strays_, access.instruction, 0, place); }
  place.tooLate = true;
  Visit& visit = cluster_->visits[rank][access.instruction];
  place.occurrences += visit.place.occurrences;
  if (visit.place.object == kNone || context.cluster.arrived > visit.arrived) {
    visit = {context.cluster.arrived, place};
  } else {
    visit.place.occurrences = place.occurrences;
  }
}

void ClusterAccesses::touch(const simt::WarpContext& context, const simt::MemoryAccess& access, std::uint32_t owner) {
  Cluster& cluster = *cluster_;
  const std::size_t ranks = cluster.blocks.size();
  const std::uint32_t own = context.cluster.rank;
  const Opcode op = program_.code[access.instruction].op;
  std::vector<Uses>& all = cluster.uses[owner][access.object];
  if (all.empty()) { all.resize(static_cast<std::size_t>(granules_.count(access.object)) * ranks); }
  const std::int64_t perLane = granules_.perLane(access);
  for (LaneMask rest = access.lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const std::int64_t first = access.index[static_cast<std::size_t>(lane)] * perLane;
    const std::uint32_t thread = context.warp * kWarpSize + static_cast<std::uint32_t>(lane);
    for (std::int64_t granule = first; granule < first + perLane; ++granule) {
      Uses* const uses = &all[static_cast<std::size_t>(granule) * ranks];
      Place place;
      place.first = {context.blockLinear, thread, access.instruction};
      place.owner = cluster.blocks[owner];
      place.object = access.object;
      place.granule = granule;
      place.interval = context.interval;
      for (std::uint32_t other = 0; other < ranks; ++other) {
        if (other == own) { continue; }
        race(context, uses[other].write, other, place);
        if (access.store) { race(context, uses[other].read, other, place); }
      }
      Use& use = access.store ? uses[own].write : uses[own].read;
      if (use.cluster != cluster.number || context.cluster.arrived >= use.arrived) {
        use = {cluster.number, access.instruction, thread, context.cluster.arrived};
      }
      if (isAtomic(op)) { uses[own].read = use; }
    }
  }
}

/// Notes that an access races with an earlier one of another block, if nothing orders them.
void ClusterAccesses::race(const simt::WarpContext& context, const Use& use, std::uint32_t user, Place place) {
  if (use.cluster != cluster_->number || context.cluster.passed > use.arrived) { return; }
  const bool served =
      isAtomic(program_.code[use.instruction].op) && isAtomic(program_.code[place.first.instruction].op);
  if (served) { return; }
  place.second = {cluster_->blocks[user], use.thread, use.instruction};
  // The access to another block's memory is reported first.
  if (place.first.block == place.owner) { std::swap(place.first, place.second); }
  place.occurrences = 1;
  note(races_, place.first.instruction, place.second.instruction, place);
}

void ClusterAccesses::note(std::map<std::pair<std::uint32_t, std::uint32_t>, Place>& places, std::uint32_t a,
                           std::uint32_t b, const Place& place) {
  Place& known = places[{a, b}];
  const std::uint64_t occurrences = known.occurrences + place.occurrences;
  const auto order = [](const Place& one) { return std::tie(one.first.block, one.interval, one.granule); };
  if (known.occurrences == 0 || order(place) < order(known)) { known = place; }
  known.occurrences = occurrences;
}

void ClusterAccesses::threadsLeave(const simt::WarpContext& context, std::uint32_t /*instruction*/) {
  std::uint32_t& passed = cluster_->passed[context.cluster.rank];
  passed = std::max(passed, context.cluster.passed);
}

void ClusterAccesses::clusterEnds() {
  Cluster& cluster = *cluster_;
  for (std::size_t owner = 0; owner < cluster.visits.size(); ++owner) {
    for (const auto& [instruction, visit] : cluster.visits[owner]) {
      if (cluster.passed[owner] <= visit.arrived) { note(strays_, instruction, 1, visit.place); }
    }
    cluster.visits[owner].clear();
  }
  std::ranges::fill(cluster.passed, 0);
  ++cluster.number;
}

void ClusterAccesses::join(Observer& worker) {
  auto& other = static_cast<ClusterAccesses&>(worker);
  for (const auto& [key, place] : other.races_) { note(races_, key.first, key.second, place); }
  for (const auto& [key, place] : other.strays_) { note(strays_, key.first, key.second, place); }
}

std::string ClusterAccesses::elementOf(const Place& place) const {
  return trf("{} of block {}",
             analysis::elementName(program_, place.object, granules_.element(place.object, place.granule)),
             text(unlinear(place.owner, launch_.configuration.grid)));
}

std::string ClusterAccesses::whoOf(const Accessor& accessor) const {
  return trf("thread {} of block {} at line {}", text(unlinear(accessor.thread, launch_.configuration.block)),
             text(unlinear(accessor.block, launch_.configuration.grid)),
             program_.code[accessor.instruction].range.line);
}

const char* ClusterAccesses::verbOf(std::uint32_t instruction) const {
  return program_.code[instruction].op == Opcode::Load ? tr("read") : tr("written");
}

Finding ClusterAccesses::findingOf(const Place& place) const {
  Finding finding{.kind = FindingKind::BlockGone,
                  .where = program_.code[place.first.instruction].range,
                  .threads = {{unlinear(place.first.block, launch_.configuration.grid),
                               unlinear(place.first.thread, launch_.configuration.block)}},
                  .object = place.object,
                  .index = granules_.element(place.object, place.granule),
                  .interval = place.interval,
                  .occurrences = place.occurrences};
  finding.message =
      trf("{} is {} by {}, when that block {}", elementOf(place), verbOf(place.first.instruction), whoOf(place.first),
          place.tooLate
              ? tr("may have ended, and its shared memory with it; call cluster.sync() before the end of the kernel")
              : tr("may not have begun; call cluster.sync() before"));
  return finding;
}

Finding ClusterAccesses::raceOf(const Place& place) const {
  Finding finding = findingOf(place);
  finding.kind = FindingKind::RaceCluster;
  finding.other = program_.code[place.second.instruction].range;
  finding.otherReads = program_.code[place.second.instruction].op == Opcode::Load;
  finding.threads.push_back({unlinear(place.second.block, launch_.configuration.grid),
                             unlinear(place.second.thread, launch_.configuration.block)});
  finding.message =
      trf("{} is {} by {} and {} by {}, with no barrier of the cluster between; call "
          "cluster.sync() between the two",
          elementOf(place), verbOf(place.first.instruction), whoOf(place.first), verbOf(place.second.instruction),
          whoOf(place.second));
  return finding;
}

std::vector<Finding> ClusterAccesses::findings() const {
  std::vector<Finding> all;
  for (const auto& [key, place] : races_) { all.push_back(raceOf(place)); }
  for (const auto& [key, place] : strays_) {
    // Who accesses a block that may not have begun mostly races with it, too: that is the same mistake.
    const auto races = [&](const auto& one) { return one.first.first == key.first; };
    if (place.tooLate || std::ranges::none_of(races_, races)) { all.push_back(findingOf(place)); }
  }
  return all;
}

}  // namespace haloscope::faults
