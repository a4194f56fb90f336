#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "faults/Finding.h"
#include "faults/OngoingRaces.h"
#include "provenance/TagFlow.h"
#include "provenance/WrittenElements.h"

namespace haloscope::faults {

/// Uninitialised values that matter: they reach global memory, decide a branch or make an address. A value that
/// is read and then not used, like the corner of a tile's halo, is not a fault.
class Initialisation final : public provenance::TagFlow {
 public:
  /// What is to be followed.
  struct Suspects {
    std::vector<provenance::UndefinedArray> undefinedGlobals;
    std::vector<std::uint32_t> loads;     ///< instructions that read unwritten elements, as UnwrittenReads found them
    std::vector<std::uint32_t> shuffles;  ///< instructions in which a lane may ask one that takes no part
    std::vector<RegisterId> variables;    ///< as possiblyUnassigned() names them
    std::vector<const Race*> races;       ///< that are known: a read that is too early is reported once
  };
  Initialisation(const Program& program, const Launch& launch, Suspects suspects);

  [[nodiscard]] std::unique_ptr<Observer> fork() const override;
  void join(Observer& worker) override;
  void blockBegins(const Dim3& block, std::uint64_t blockLinear) override;
  void barrierReleased(const Dim3& block, std::uint32_t interval) override;

  /// One for each variable, or group of loads (see FindingGroups), that is at fault, with the outputs that it spoils.
  [[nodiscard]] std::vector<Finding> findings() const;

 private:
  /// Where a thread last read an undefined value.
  struct Read {
    std::uint64_t block = 0;  ///< from 1
    std::uint32_t instruction = 0;
    ObjectId object = kNone;
    std::int64_t index = 0;  ///< of a shuffle: the lane that it asked
    std::uint64_t thread = 0;
    int width = 0;  ///< of a shuffle that has none of the widths: the one it has
  };
  /// Where undefined values come from: an instruction or a variable, one tag each.
  struct Origin {
    RegisterId variable = kNone;
    std::vector<Read> reads;  ///< the last of each thread
    Read latest;              ///< of any
    std::uint64_t occurrences = 0;
    // The first use that matters, in the lowest block.
    std::uint64_t block = 0;
    std::uint32_t interval = 0;
    std::uint32_t usedAt = 0;
    Use use = Use::Output;
    OutputCell output;
    Read read;
  };

  void loaded(const simt::WarpContext& context, const simt::MemoryAccess& access, provenance::LaneTags& tags) override;
  void stored(const simt::WarpContext& context, const simt::MemoryAccess& access, provenance::LaneTags& tags) override;
  provenance::Tags readsUnassigned(const simt::WarpContext& context, std::uint32_t instruction, RegisterId reg,
                                   LaneMask lanes) override;
  provenance::Tags readsAbsent(const simt::WarpContext& context, std::uint32_t instruction, int lane,
                               int from) override;
  void used(const simt::WarpContext& context, std::uint32_t instruction, Use use, const provenance::LaneTags& tags,
            const simt::MemoryAccess* access) override;
  [[nodiscard]] provenance::WrittenElements& writtenOf(TagFlow* owner);
  void note(std::size_t tag, const simt::WarpContext& context, int lane, const Read& read);
  [[nodiscard]] std::string describe(const Origin& origin, const Finding& finding) const;
  [[nodiscard]] std::string remedyOf(const Origin& origin) const;

  Suspects suspects_;
  provenance::WrittenElements written_;
  OngoingRaces races_;
  std::uint64_t block_ = 0;
  std::vector<Origin> origins_;              ///< by tag; the last one is for all that have no tag of their own
  std::vector<std::uint8_t> tagOfLoad_;      ///< per instruction: loads and shuffles
  std::vector<std::uint8_t> tagOfVariable_;  ///< per register
};

}  // namespace haloscope::faults
