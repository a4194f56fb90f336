#include "analysis/RecordedRequest.h"

#include <algorithm>
#include <set>

namespace haloscope::analysis {

namespace {

/// The bank with the most different words, where it has more than one.
void findWorstBank(RecordedRequest& request) {
  std::array<std::set<std::int64_t>, kBanks> words;
  const auto bankOf = [](std::int64_t address) {
    return static_cast<std::size_t>(address / kBankBytes % std::int64_t{kBanks});
  };
  for (const RecordedRequest::Lane& lane : request.lanes) {
    const std::int64_t address = request.addressOf(lane);
    words.at(bankOf(address)).insert(address / kBankBytes);
  }
  const auto worst = std::ranges::max_element(words, {}, &std::set<std::int64_t>::size);
  // Whether they collide is the shape's to say: two halves of a warp do not meet.
  if (request.shape.bankDegree < 2 || worst->size() < 2) { return; }
  request.worstBank = static_cast<std::uint32_t>(worst - words.begin());
  for (const RecordedRequest::Lane& lane : request.lanes) {
    if (bankOf(request.addressOf(lane)) == request.worstBank) { request.conflicting |= LaneMask{1} << lane.lane; }
  }
}

}  // namespace

RecordedRequest requestOf(const recording::Recording& recording, const recording::AccessGroup& access) {
  const Instruction& instruction = recording.program->code[access.instruction];
  RecordedRequest request;
  request.object = access.object;
  request.space = access.space;
  request.store = access.store;
  request.range = instruction.range;
  request.elementBytes = sizeInMemory(instruction.type);
  LaneAddresses addresses{};
  std::size_t next = access.first;
  for (int lane = 0; lane < kWarpSize; ++lane) {
    if ((access.lanes >> lane & 1U) == 0) { continue; }
    const RecordedRequest::Lane entry{lane, recording.elements[next], recording.values[next]};
    ++next;
    request.lanes.push_back(entry);
    const std::int64_t address = request.addressOf(entry);
    addresses.at(static_cast<std::size_t>(lane)) = address;
    request.rows.push_back(address / kLineBytes * kLineBytes);
  }
  std::ranges::sort(request.rows);
  request.rows.erase(std::unique(request.rows.begin(), request.rows.end()), request.rows.end());
  request.shape = shapeOf(addresses, access.lanes, request.elementBytes, access.space);
  if (access.space == MemorySpace::Shared) { findWorstBank(request); }
  return request;
}

}  // namespace haloscope::analysis
