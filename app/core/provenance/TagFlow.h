#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "program/Launch.h"
#include "provenance/Granules.h"
#include "provenance/PagedArray.h"
#include "simt/Observer.h"

namespace haloscope::provenance {

/// A set of up to 64 tags: one bit each.
using Tags = std::uint64_t;
inline constexpr std::size_t kMaxTags = 64;

/// The tags on one value a lane.
struct LaneTags {
  LaneMask lanes = 0;  ///< those whose value has a tag; only their entries mean anything
  std::array<Tags, kWarpSize> of;

  [[nodiscard]] Tags at(int lane) const {
    return (lanes >> lane & 1) != 0 ? of[static_cast<std::size_t>(lane)] : Tags{0};
  }
  void set(int lane, Tags tags);
  void add(int lane, Tags tags) { set(lane, at(lane) | tags); }
};

/// Follows values: what is computed from a tagged value has its tags, in registers and in memory. A derived
/// class says where tags come from and is notified where they matter.
///
/// A value follows from what it is computed from, from the index it is loaded at and, stored, from the index it is
/// stored at; not from the conditions under which this happened. A Select takes the operand it chose; `false && x` and
/// `0 & x` are known whatever x is. A Shuffle passes on the other lane's value, with its tags. Only a block's own
/// stores are followed from global memory into its loads.
class TagFlow : public simt::Observer {
 public:
  TagFlow(const Program& program, const Launch& launch);

  [[nodiscard]] Wants wants() const override { return {.instructions = true, .accesses = true}; }
  void blockBegins(const Dim3& block, std::uint64_t blockLinear) override;
  void instruction(const simt::WarpContext& context, std::uint32_t instruction) override;
  void access(const simt::WarpContext& context, const simt::MemoryAccess& access) override;
  void outOfBounds(const simt::WarpContext& context, const simt::OutOfBounds& fault) override;
  void meetCluster(std::span<Observer* const> forks) override { cluster_.assign(forks.begin(), forks.end()); }
  void clusterAccess(const simt::WarpContext& context, const simt::MemoryAccess& access, std::uint32_t rank) override;

  /// Calls `reached` with each element of a global array that has any of the tags at the end, ascending.
  void eachOutput(Tags tags, const std::function<void(ObjectId object, std::int64_t element)>& reached) const;

 protected:
  /// What a tagged value is needed for.
  enum class Use : std::uint8_t { Output, Condition, Address };

  /// A load took place: `tags` has what its elements have, and takes what else there is to know of the values.
  virtual void loaded(const simt::WarpContext&, const simt::MemoryAccess&, LaneTags& /*tags*/) {}
  /// A store took place: `tags` has those of its values.
  virtual void stored(const simt::WarpContext&, const simt::MemoryAccess&, LaneTags& /*tags*/) {}
  /// A load outside its array yielded a value from nowhere.
  virtual void missed(const simt::WarpContext&, const simt::OutOfBounds&, LaneTags& /*tags*/) {}
  /// Lanes read a variable that they have not assigned, one of those given to followUnassigned(); its tags.
  virtual Tags readsUnassigned(const simt::WarpContext&, std::uint32_t /*instruction*/, RegisterId, LaneMask) {
    return 0;
  }
  /// A lane took a value in a Shuffle from a lane that takes no part in it; its tags.
  virtual Tags readsAbsent(const simt::WarpContext&, std::uint32_t /*instruction*/, int /*lane*/, int /*from*/) {
    return 0;
  }
  /// Lanes used tagged values. `access` is that of an Output, null otherwise.
  virtual void used(const simt::WarpContext&, std::uint32_t /*instruction*/, Use, const LaneTags&,
                    const simt::MemoryAccess* /*access*/) {}

  void followUnassigned(const std::vector<RegisterId>& variables);
  /// Takes over what another, of the same launch, found in global memory.
  void joinOutputs(TagFlow& other);

  [[nodiscard]] const Program& program() const { return program_; }
  [[nodiscard]] const Launch& launch() const { return launch_; }
  /// In loaded() and stored(): that of the block whose memory is accessed; null if it is the own.
  [[nodiscard]] TagFlow* otherOwner() const { return otherOwner_; }
  /// The element that a lane of an access begins at, as its object is declared.
  [[nodiscard]] std::int64_t elementOf(const simt::MemoryAccess& access, int lane) const {
    return granules_.element(access.object, access.index[static_cast<std::size_t>(lane)] * granules_.perLane(access));
  }

 private:
  /// Tags of a granule of a global array.
  struct GlobalTags {
    Tags earlier = 0;  ///< left by blocks that are done with
    Tags now = 0;      ///< by the block below
    std::uint64_t block = 0;
    [[nodiscard]] Tags all() const { return earlier | now; }
  };
  struct OfObject {
    MemorySpace space = MemorySpace::Global;
    std::size_t count = 0;             ///< granules, of one thread's copy
    std::vector<Tags> own;             ///< of a shared array; of a Local one per thread and granule
    bool tagged = false;               ///< `own` has tags at all
    PagedArray<GlobalTags> global{0};  ///< of a global array
  };

  [[nodiscard]] OfObject& accessed(ObjectId object) { return (otherOwner_ ? *otherOwner_ : *this).objects_[object]; }
  [[nodiscard]] const OfObject& accessed(ObjectId object) const {
    return (otherOwner_ ? *otherOwner_ : *this).objects_[object];
  }
  [[nodiscard]] LaneTags& registerTags(std::uint32_t warp, RegisterId reg);
  /// Adds the tags of a register that an instruction reads.
  void addOperand(const simt::WarpContext& context, std::uint32_t instruction, RegisterId reg, LaneTags& to);
  void addChosen(const simt::WarpContext& context, std::uint32_t instruction, LaneTags& to);
  void addShuffled(const simt::WarpContext& context, std::uint32_t instruction, LaneTags& to);
  void addVotes(const simt::WarpContext& context, std::uint32_t instruction, LaneTags& to);
  void addUnlessKnown(const simt::WarpContext& context, std::uint32_t instruction, LaneTags& to);
  void write(const simt::WarpContext& context, RegisterId reg, const LaneTags& tags);
  [[nodiscard]] Tags elementTags(const simt::WarpContext& context, const simt::MemoryAccess& access, int lane) const;
  void setElementTags(const simt::WarpContext& context, const simt::MemoryAccess& access, int lane, Tags tags);

  const Program& program_;
  const Launch& launch_;
  Granules granules_;
  std::vector<LaneTags> registers_;    ///< warp * registers + register
  std::vector<LaneMask> unassigned_;   ///< likewise: lanes that have not assigned it; empty when none are followed
  std::vector<RegisterId> variables_;  ///< followed for being unassigned
  std::vector<OfObject> objects_;
  LaneTags loaded_;  ///< by the instruction that is running
  std::uint64_t block_ = 0;
  std::vector<Observer*> cluster_;  ///< those of the blocks of the cluster, by rank
  TagFlow* otherOwner_ = nullptr;
};

}  // namespace haloscope::provenance
