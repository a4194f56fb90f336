#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "faults/Bounds.h"
#include "faults/Finding.h"
#include "faults/OngoingRaces.h"
#include "faults/Races.h"
#include "provenance/TagFlow.h"

namespace haloscope::faults {

/// Which elements of global memory known faults reach: a second, slower run follows the value that a race leaves open,
/// or that a load outside its array did not find, to where it is stored.
class FaultPropagation final : public provenance::TagFlow {
 public:
  /// Races and places of loads out of bounds. Several may share a tag, from 0 and below kMaxTags.
  struct Faults {
    std::vector<const Race*> races;
    std::vector<const Bounds::Place*> places;
    std::vector<std::uint32_t> raceTags, placeTags;  ///< one for each
  };
  FaultPropagation(const Program& program, const Launch& launch, Faults faults);

  [[nodiscard]] std::unique_ptr<Observer> fork() const override;
  void join(Observer& worker) override { joinOutputs(static_cast<FaultPropagation&>(worker)); }
  void blockBegins(const Dim3& block, std::uint64_t blockLinear) override;
  void barrierReleased(const Dim3& block, std::uint32_t interval) override;

 private:
  void loaded(const simt::WarpContext& context, const simt::MemoryAccess& access, provenance::LaneTags& tags) override;
  void stored(const simt::WarpContext& context, const simt::MemoryAccess& access, provenance::LaneTags& tags) override;
  void missed(const simt::WarpContext& context, const simt::OutOfBounds& fault, provenance::LaneTags& tags) override;

  Faults faults_;
  OngoingRaces races_;
  std::uint64_t block_ = 0;
};

/// The elements of global arrays that have any of the tags at the end: all into `finding.reached`, ascending, the first
/// few into `finding.outputs`, and how many there are into `finding.outputCount`.
void listOutputs(const provenance::TagFlow& flow, provenance::Tags tags, Finding& finding);

}  // namespace haloscope::faults
