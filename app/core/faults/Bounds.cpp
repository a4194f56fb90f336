#include "faults/Bounds.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <tuple>

#include <fmt/format.h>

#include "analysis/ElementName.h"
#include "language/Text.h"
#include "program/ObjectSize.h"

namespace haloscope::faults {

Bounds::Place& Bounds::placeOf(std::uint32_t instruction, ObjectId object) {
  const auto at = std::lower_bound(
      places_.begin(), places_.end(), std::tuple(instruction, object),
      [](const Place& place, const auto& wanted) { return std::tuple(place.instruction, place.object) < wanted; });
  if (at != places_.end() && at->instruction == instruction && at->object == object) { return *at; }
  Place made{.instruction = instruction, .object = object};
  return *places_.insert(at, std::move(made));
}

/// The element as the array is declared, whatever the type of the access.
std::int64_t Bounds::elementOf(const simt::OutOfBounds& fault, int lane) const {
  const std::int64_t index = fault.index[static_cast<std::size_t>(lane)];
  if (fault.object == kNone) { return index; }
  const std::int64_t bytes = index * sizeInMemory(program_.code[fault.instruction].type);
  const std::int64_t size = sizeInMemory(program_.objects[fault.object].element);
  return (bytes - (bytes < 0 ? size - 1 : 0)) / size;
}

void Bounds::outOfBounds(const simt::WarpContext& context, const simt::OutOfBounds& fault) {
  const LaneMask lanes = fault.lanes & ~fault.misaligned;
  if (lanes == 0) { return; }
  const LaneMask described = (lanes & fault.unmapped) != 0 ? lanes & fault.unmapped : lanes;
  const int lane = std::countr_zero(described);
  Place first{.unmapped = (described & fault.unmapped) != 0, .block = context.blockLinear};
  Place& place = placeOf(fault.instruction, fault.object);
  if (first.isBefore(place)) {
    place.store = fault.store;
    place.unmapped = first.unmapped;
    place.block = context.blockLinear;
    place.interval = context.interval;
    place.thread = std::uint64_t{context.warp} * kWarpSize + static_cast<std::uint64_t>(lane);
    place.index = elementOf(fault, lane);
    place.rank = fault.rank;
  }
  place.occurrences += static_cast<std::uint64_t>(std::popcount(lanes));
  if (place.blocks.empty() || place.blocks.back() != context.blockLinear) {
    place.blocks.push_back(context.blockLinear);
  }
}

void Bounds::join(Observer& worker) {
  for (Place& added : static_cast<Bounds&>(worker).places_) {
    Place& place = placeOf(added.instruction, added.object);
    std::vector<std::uint64_t> blocks;
    std::sort(added.blocks.begin(), added.blocks.end());
    std::set_union(place.blocks.begin(), place.blocks.end(), added.blocks.begin(), added.blocks.end(),
                   std::back_inserter(blocks));
    const std::uint64_t occurrences = place.occurrences + added.occurrences;
    if (added.isBefore(place)) { place = added; }
    place.occurrences = occurrences;
    place.blocks = std::move(blocks);
  }
}

Finding Bounds::findingOf(const Place& place) const {
  Finding finding = described(place);
  finding.illegalAddress = place.unmapped;
  if (place.unmapped) { finding.message += tr(kEndsProgram); }
  return finding;
}

Finding Bounds::described(const Place& place) const {
  Finding finding{.kind = FindingKind::OutOfBounds,
                  .where = program_.code[place.instruction].range,
                  .threads = {{unlinear(place.block, launch_.configuration.grid),
                               unlinear(place.thread, launch_.configuration.block)}},
                  .object = place.object,
                  .index = place.index,
                  .interval = place.interval,
                  .occurrences = place.occurrences};
  const std::string who = trf("{} by thread {} of block {}", place.store ? tr("written") : tr("read"),
                              text(finding.threads[0].thread), text(finding.threads[0].block));
  const std::string element = analysis::elementName(program_, place.object, place.index);
  if (place.object == kNone) {
    finding.message = trf("{} is {}", element, who);
    return finding;
  }
  const std::uint64_t ranks = clusterOf(program_, launch_.configuration).count();
  if (place.rank != kNone && place.rank >= ranks) {
    finding.message = trf("{} of the block of rank {} is {}: the cluster has {} blocks, with ranks 0 to {}", element,
                          place.rank, who, ranks, ranks - 1);
    return finding;
  }
  const std::string& array = program_.objects[place.object].name;
  const MemoryObject& object = program_.objects[place.object];
  const std::int64_t perStruct = object.structBytes == 0 ? 1 : object.structBytes / sizeInMemory(object.element);
  std::int64_t count = elementCount(program_, launch_, place.object);
  if (place.index >= 0 && place.index < count) {
    finding.message = trf("{} is {} as the first of {} bytes, which reach beyond the end of {}", element, who,
                          sizeInMemory(program_.code[place.instruction].type), array);
    return finding;
  }
  count /= perStruct;
  if (count == 0) {
    finding.message = trf("{} is {}: {} has no elements", element, who, array);
  } else if (count == 1) {
    finding.message = trf("{} is {}: {} has 1 element, 0", element, who, array);
  } else {
    finding.message = trf("{} is {}: {} has {} elements, 0 to {}", element, who, array, count, count - 1);
  }
  return finding;
}

}  // namespace haloscope::faults
