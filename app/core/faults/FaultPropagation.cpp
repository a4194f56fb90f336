#include "faults/FaultPropagation.h"

#include <bit>
#include <utility>

namespace haloscope::faults {

using provenance::LaneTags;
using provenance::Tags;

namespace {

constexpr std::size_t kListedOutputs = 16;

}  // namespace

FaultPropagation::FaultPropagation(const Program& program, const Launch& launch, Faults faults)
    : TagFlow(program, launch), faults_(std::move(faults)), races_(program, launch, faults_.races) {}

std::unique_ptr<simt::Observer> FaultPropagation::fork() const {
  return std::make_unique<FaultPropagation>(program(), launch(), faults_);
}

void FaultPropagation::blockBegins(const Dim3& block, std::uint64_t blockLinear) {
  TagFlow::blockBegins(block, blockLinear);
  block_ = blockLinear;
  races_.beginInterval(block_, 0);
}

void FaultPropagation::barrierReleased(const Dim3& /*block*/, std::uint32_t interval) {
  races_.beginInterval(block_, interval);
}

void FaultPropagation::loaded(const simt::WarpContext& /*context*/, const simt::MemoryAccess& access, LaneTags& tags) {
  if (otherOwner() != nullptr) { return; }
  races_.each(access, [&](int lane, std::uint32_t race) { tags.add(lane, Tags{1} << faults_.raceTags[race]); });
}

void FaultPropagation::stored(const simt::WarpContext& /*context*/, const simt::MemoryAccess& access, LaneTags& tags) {
  if (otherOwner() != nullptr) { return; }
  races_.each(access, [&](int lane, std::uint32_t race) { tags.add(lane, Tags{1} << faults_.raceTags[race]); });
}

void FaultPropagation::missed(const simt::WarpContext& /*context*/, const simt::OutOfBounds& fault, LaneTags& tags) {
  for (std::size_t i = 0; i < faults_.places.size(); ++i) {
    const Bounds::Place& place = *faults_.places[i];
    if (place.instruction != fault.instruction || place.object != fault.object) { continue; }
    const std::uint32_t tag = faults_.placeTags[i];
    for (LaneMask rest = fault.lanes; rest != 0; rest &= rest - 1) { tags.add(std::countr_zero(rest), Tags{1} << tag); }
  }
}

void listOutputs(const provenance::TagFlow& flow, Tags tags, Finding& finding) {
  flow.eachOutput(tags,
                  [&](ObjectId object, std::int64_t element) { finding.reach({object, element}, kListedOutputs); });
}

}  // namespace haloscope::faults
