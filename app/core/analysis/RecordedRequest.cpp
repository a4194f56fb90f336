#include "analysis/RecordedRequest.h"

#include <algorithm>
#include <bit>
#include <set>

namespace haloscope::analysis {

namespace {

/// The bank for which most lanes served together wait.
void findWorstBank(RecordedRequest& request, const LaneAddresses& addresses, LaneMask lanes) {
  if (request.shape.bankDegree < 2) { return; }
  for (const LaneMask served : servedTogether(addresses, lanes, request.lane)) {
    std::array<std::set<std::int64_t>, kBanks> words;
    std::array<LaneMask, kBanks> wanting{};
    for (const RecordedRequest::Lane& entry : request.lanes) {
      if ((served >> entry.lane & 1U) == 0) { continue; }
      // An 8-byte element lies in two banks.
      const std::int64_t first = request.addressOf(entry) / kBankBytes;
      const std::int64_t last = (request.addressOf(entry) + request.elementBytes - 1) / kBankBytes;
      for (std::int64_t word = first; word <= last; ++word) {
        const auto bank = static_cast<std::size_t>(word % kBanks);
        words.at(bank).insert(word);
        wanting.at(bank) |= LaneMask{1} << entry.lane;
      }
    }
    for (std::size_t bank = 0; bank < words.size(); ++bank) {
      const std::size_t degree = isAtomic(request.lane.effect)
                                     ? static_cast<std::size_t>(std::popcount(wanting.at(bank)))
                                     : words.at(bank).size();
      if (degree != request.shape.bankDegree) { continue; }
      request.worstBank = static_cast<std::uint32_t>(bank);
      request.conflicting = wanting.at(bank);
      return;
    }
  }
}

/// Adds the entries of an access to a request.
void addLanes(RecordedRequest& request, const recording::Recording& recording, const recording::AccessGroup& access) {
  std::size_t next = access.first;
  for (int lane = 0; lane < kWarpSize; ++lane) {
    if ((access.lanes >> lane & 1U) == 0) { continue; }
    request.lanes.push_back({lane, recording.elements[next], recording.values[next],
                             recording.program->code[access.instruction].part.index});
    ++next;
    request.rows.push_back(request.addressOf(request.lanes.back()) / kLineBytes * kLineBytes);
  }
}

/// Adds the other members of a vector, which the same warp accesses after the first.
void addOtherParts(RecordedRequest& request, const recording::Recording& recording,
                   const recording::AccessGroup& access) {
  const std::vector<recording::AccessGroup>& all = recording.accesses;
  auto group = std::ranges::lower_bound(all, access.first, {}, &recording::AccessGroup::first);
  for (int part = 0; group != all.end() && group->warp == access.warp; ++group) {
    const VectorPart other = recording.program->code[group->instruction].part;
    const bool another = other.index == 0 && (part > 0 || group->instruction != access.instruction);
    if (another || other.bytes == 0) { break; }
    if (other.index <= part || group->object != access.object) { continue; }
    part = other.index;
    addLanes(request, recording, *group);
  }
}

}  // namespace

RecordedRequest requestOf(const recording::Recording& recording, const recording::AccessGroup& access) {
  const Instruction& instruction = recording.program->code[access.instruction];
  RecordedRequest request{.object = access.object,
                          .space = access.space,
                          .store = access.store,
                          .range = instruction.range,
                          .elementBytes = sizeInMemory(instruction.type),
                          .lane = laneRequest(instruction)};
  addLanes(request, recording, access);
  LaneAddresses addresses{};
  for (const RecordedRequest::Lane& entry : request.lanes) {
    addresses.at(static_cast<std::size_t>(entry.lane)) = request.addressOf(entry);
  }
  if (instruction.part.bytes != 0) {
    addOtherParts(request, recording, access);
    std::ranges::stable_sort(request.lanes, {}, &RecordedRequest::Lane::lane);
  }
  std::ranges::sort(request.rows);
  request.rows.erase(std::unique(request.rows.begin(), request.rows.end()), request.rows.end());
  request.shape = shapeOf(addresses, access.lanes, request.lane, access.space);
  if (access.space == MemorySpace::Shared) { findWorstBank(request, addresses, access.lanes); }
  return request;
}

bool beginsRequest(const recording::Recording& recording, const recording::AccessGroup& access) {
  return beginsRequest(recording.program->code[access.instruction]);
}

}  // namespace haloscope::analysis
