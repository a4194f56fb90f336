#include "faults/Misalignment.h"

#include <bit>
#include <string>

#include <fmt/format.h>

#include "analysis/ElementName.h"
#include "faults/FindingGroups.h"
#include "language/Text.h"

namespace haloscope::faults {

void Misalignment::access(const simt::WarpContext& context, const simt::MemoryAccess& access) {
  const int bytes = program_.code[access.instruction].part.bytes;
  const int size = sizeInMemory(access.element);
  LaneMask misaligned = 0;
  for (LaneMask rest = access.lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const bool fits = access.index[static_cast<std::size_t>(lane)] * size % bytes == 0;
    misaligned |= static_cast<LaneMask>(!fits) << lane;
  }
  if (misaligned != 0) { note(context, access.instruction, access.object, access.store, misaligned, access.index); }
}

void Misalignment::outOfBounds(const simt::WarpContext& context, const simt::OutOfBounds& fault) {
  if (fault.misaligned != 0) {
    note(context, fault.instruction, fault.object, fault.store, fault.misaligned, fault.index);
  }
}

void Misalignment::note(const simt::WarpContext& context, std::uint32_t instruction, ObjectId object, bool store,
                        LaneMask lanes, const std::array<std::int64_t, kWarpSize>& index) {
  Place& place = places_[{instruction, object}];
  if (place.occurrences == 0 || context.blockLinear < place.block) {
    const int lane = std::countr_zero(lanes);
    place.store = store;
    place.block = context.blockLinear;
    place.interval = context.interval;
    place.thread = std::uint64_t{context.warp} * kWarpSize + static_cast<std::uint64_t>(lane);
    place.index = index[static_cast<std::size_t>(lane)];
  }
  place.occurrences += static_cast<std::uint64_t>(std::popcount(lanes));
}

void Misalignment::join(Observer& worker) {
  for (const auto& [key, added] : static_cast<Misalignment&>(worker).places_) {
    Place& place = places_[key];
    const std::uint64_t occurrences = place.occurrences + added.occurrences;
    if (place.occurrences == 0 || added.block < place.block) { place = added; }
    place.occurrences = occurrences;
  }
}

Finding Misalignment::findingOf(std::uint32_t instruction, ObjectId object, const Place& place) const {
  const Instruction& code = program_.code[instruction];
  const MemoryObject& array = program_.objects[object];
  Finding finding{.kind = FindingKind::Misaligned,
                  .where = code.range,
                  .threads = {{unlinear(place.block, launch_.configuration.grid),
                               unlinear(place.thread, launch_.configuration.block)}},
                  .object = object,
                  .index = place.index * sizeInMemory(code.type) / sizeInMemory(array.element),
                  .interval = place.interval,
                  .occurrences = place.occurrences};
  const std::string who =
      trf("by thread {} of block {}", text(finding.threads[0].thread), text(finding.threads[0].block));
  const std::string element = analysis::elementName(program_, object, finding.index);
  const int bytes = accessBytes(code);
  const char* done = place.store ? tr("written") : tr("read");
  finding.message =
      code.part.bytes != 0
          ? trf("{} bytes are {} at once from {} on {}, but {} begins at byte {} of {}, which is not a multiple "
                "of {}: on a GPU the kernel ends with a misaligned address",
                bytes, done, element, who, element, place.index * sizeInMemory(code.type), array.name, bytes)
          : trf("{} is {} {} at an address between two elements, which is not a multiple of {}: on a GPU the "
                "kernel ends with a misaligned address",
                element, done, who, bytes);
  return finding;
}

std::vector<Finding> Misalignment::findings() const {
  std::vector<Finding> all;
  for (const auto& [key, place] : places_) {
    if (place.occurrences > 0) { all.push_back(findingOf(key.first, key.second, place)); }
  }
  return FindingGroups(program_).merged(all);
}

}  // namespace haloscope::faults
