#include "provenance/WrittenElements.h"

#include <algorithm>
#include <bit>

namespace haloscope::provenance {

WrittenElements::WrittenElements(const Program& program, const Launch& launch,
                                 const std::vector<UndefinedArray>& undefinedGlobals)
    : granules_(program, launch),
      undefinedGlobals_(undefinedGlobals),
      objects_(program.objects.size()),
      concerns_(program.code.size(), false),
      ordered_(ordersBlocks(program)) {
  for (ObjectId object = 0; object < objects_.size(); ++object) {
    OfObject& of = objects_[object];
    of.space = program.objects[object].space;
    const auto undefined = std::ranges::find(undefinedGlobals_, object, &UndefinedArray::object);
    if (of.space == MemorySpace::Global && undefined != undefinedGlobals_.end()) { of.undefined = &*undefined; }
    const bool startsEmpty =
        of.space == MemorySpace::Shared || of.space == MemorySpace::Local || of.undefined != nullptr;
    of.followed = startsEmpty && std::any_of(program.code.begin(), program.code.end(), [&](const Instruction& code) {
                    return readsMemory(code.op) && (code.aux == object || code.aux == kNone);
                  });
    if (!of.followed) { continue; }
    of.count = static_cast<std::size_t>(granules_.count(object));
    if (of.space == MemorySpace::Global) {
      of.blocks = std::make_shared<PagedArray<std::uint64_t>>(of.count);
    } else {
      const std::size_t threads = std::size_t{launch.configuration.warpsPerBlock()} * kWarpSize;
      of.written.resize(of.space == MemorySpace::Local ? of.count * threads : of.count);
    }
    for (std::size_t at = 0; at < program.code.size(); ++at) {
      const Instruction& code = program.code[at];
      if (isAccess(code.op) && (code.aux == object || code.aux == kNone)) { concerns_[at] = true; }
    }
  }
}

void WrittenElements::beginBlock(std::uint64_t blockLinear) {
  block_ = blockLinear + 1;
  for (OfObject& object : objects_) {
    std::fill(object.written.begin(), object.written.end(), std::uint8_t{0});
    object.missing = object.written.size();
  }
}

void WrittenElements::shareWith(WrittenElements& other) const {
  for (std::size_t object = 0; ordered_ && object < objects_.size(); ++object) {
    other.objects_[object].blocks = objects_[object].blocks;
  }
}

void WrittenElements::wrote(const simt::WarpContext& context, const simt::MemoryAccess& access) {
  OfObject& object = objects_[access.object];
  if (!object.followed || (object.space != MemorySpace::Global && object.missing == 0)) { return; }
  const auto perLane = static_cast<std::size_t>(granules_.perLane(access));
  for (LaneMask rest = access.lanes; rest != 0; rest &= rest - 1) {
    const std::size_t first = firstGranule(context, access, std::countr_zero(rest), perLane, object.count);
    for (std::size_t place = first; place < first + perLane; ++place) {
      if (object.space == MemorySpace::Global) {
        object.blocks->at(place) = block_;
      } else if (object.written[place] == 0) {
        object.written[place] = 1;
        --object.missing;
      }
    }
  }
}

LaneMask WrittenElements::unwritten(const simt::WarpContext& context, const simt::MemoryAccess& access) const {
  const OfObject& object = objects_[access.object];
  if (!object.followed || (object.space != MemorySpace::Global && object.missing == 0)) { return 0; }
  const auto perLane = static_cast<std::size_t>(granules_.perLane(access));
  LaneMask lanes = 0;
  for (LaneMask rest = access.lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const std::size_t first = firstGranule(context, access, lane, perLane, object.count);
    bool written = true;
    for (std::size_t place = first; place < first + perLane; ++place) {
      if (object.space == MemorySpace::Global) {
        const std::uint64_t* const block = object.blocks->find(place);
        const std::int64_t bytes = granules_.bytes(access.object);
        written &= (block != nullptr && (*block == block_ || (ordered_ && *block != 0))) ||
                   !object.undefined->holdsNothing(static_cast<std::int64_t>(place) * bytes, bytes);
      } else {
        written &= object.written[place] != 0;
      }
    }
    lanes |= written ? 0 : LaneMask{1} << lane;
  }
  return lanes;
}

}  // namespace haloscope::provenance
