#include "analysis/Reach.h"

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

namespace haloscope::analysis {

Reach::Reach(const Program& program, const Launch& launch, Faults faults)
    : TagFlow(program, launch),
      faults_(std::move(faults)),
      racesAt_(program.code.size()),
      elements_(faults_.races.size(), nullptr) {
  for (std::uint32_t tag = 0; tag < faults_.races.size(); ++tag) {
    const Race& race = *faults_.races[tag];
    racesAt_[race.other].push_back(tag);
    // Of two writers, either may have the last word. Where one reads, what it reads is open, not what is written.
    const bool bothWrite = program.code[race.other].op != Opcode::Load;
    if (bothWrite && race.writer != race.other) { racesAt_[race.writer].push_back(tag); }
  }
}

std::unique_ptr<simt::Observer> Reach::fork() const { return std::make_unique<Reach>(program(), launch(), faults_); }

void Reach::blockBegins(const Dim3& block, std::uint64_t blockLinear) {
  TagFlow::blockBegins(block, blockLinear);
  block_ = blockLinear;
  beginInterval(0);
}

void Reach::barrierReleased(const Dim3& /*block*/, std::uint32_t interval) { beginInterval(interval); }

void Reach::beginInterval(std::uint32_t interval) {
  for (std::size_t tag = 0; tag < elements_.size(); ++tag) {
    const std::vector<RacingElements>& all = faults_.races[tag]->elements;
    elements_[tag] = nullptr;
    if (!all.empty() && all.front().interval == RacingElements::kAnyInterval) {
      elements_[tag] = &all.front();
      continue;
    }
    const auto at = std::lower_bound(
        all.begin(), all.end(), std::tuple(block_, interval),
        [](const RacingElements& one, const auto& wanted) { return std::tuple(one.block, one.interval) < wanted; });
    if (at != all.end() && at->block == block_ && at->interval == interval) { elements_[tag] = &*at; }
  }
}

void Reach::addRaces(const simt::MemoryAccess& access, LaneTags& tags) const {
  for (const std::uint32_t tag : racesAt_[access.instruction]) {
    const RacingElements* const elements = elements_[tag];
    if (elements == nullptr || faults_.races[tag]->finding.object != access.object) { continue; }
    for (LaneMask rest = access.lanes; rest != 0; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      if (elements->holds(access.index[static_cast<std::size_t>(lane)])) { tags.add(lane, Tags{1} << tag); }
    }
  }
}

void Reach::loaded(const simt::WarpContext& /*context*/, const simt::MemoryAccess& access, LaneTags& tags) {
  addRaces(access, tags);
}

void Reach::stored(const simt::WarpContext& /*context*/, const simt::MemoryAccess& access, LaneTags& tags) {
  addRaces(access, tags);
}

void Reach::missed(const simt::WarpContext& /*context*/, const simt::OutOfBounds& fault, LaneTags& tags) {
  for (std::size_t i = 0; i < faults_.places.size(); ++i) {
    const Bounds::Place& place = *faults_.places[i];
    if (place.instruction != fault.instruction || place.object != fault.object) { continue; }
    const std::size_t tag = faults_.races.size() + i;
    for (LaneMask rest = fault.lanes; rest != 0; rest &= rest - 1) { tags.add(std::countr_zero(rest), Tags{1} << tag); }
  }
}

}  // namespace haloscope::analysis
