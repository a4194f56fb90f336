#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "faults/Finding.h"
#include "program/Launch.h"
#include "provenance/Granules.h"
#include "simt/Observer.h"

namespace haloscope::faults {

/// Uses of shared memory while an asynchronous copy to it is in flight, and stores to what a bulk copy still reads: by
/// the thread that issued the copy, or by another one after a barrier that the issue came before. What other threads do
/// without a barrier between is a race, see Races, and so is what they do in the interval in which the copy arrives.
/// Where copies arrive at barriers in shared memory, any use is one.
class CopiesInFlight final : public simt::Observer {
 public:
  CopiesInFlight(const Program& program, const Launch& launch);

  /// Whether the program has asynchronous copies.
  [[nodiscard]] static bool needed(const Program& program);

  [[nodiscard]] Wants wants() const override { return {.accesses = true}; }
  [[nodiscard]] bool listensTo(std::uint32_t instruction) const override;
  [[nodiscard]] std::unique_ptr<Observer> fork() const override;
  void join(Observer& worker) override;
  void blockBegins(const Dim3& block, std::uint64_t blockLinear) override;
  void access(const simt::WarpContext& context, const simt::MemoryAccess& access) override;
  void copyIssued(const simt::WarpContext& context, const simt::MemoryAccess& access, std::uint32_t copy) override;
  void copyArrived(const simt::WarpContext& context, const simt::MemoryAccess& access, std::uint32_t copy) override;

  /// One for each pair of places in the text. Finding::other is where the copy was issued.
  [[nodiscard]] std::vector<Finding> findings() const;

 private:
  /// The copy on its way to a granule.
  struct Copy {
    std::uint32_t instruction = kNone;  ///< kNone: there is none
    std::uint32_t number = 0;           ///< of the warp's copies
    std::uint32_t thread = 0;
    std::uint32_t interval = 0;
    bool reads = false;  ///< from the granule
  };
  /// Elements of shared memory that a bulk copy reads.
  struct Source {
    ObjectId object = kNone;
    std::vector<std::int64_t> granules;
  };
  /// All uses by one instruction of what another one copies. The first is that of the lowest block.
  struct Place {
    std::uint64_t occurrences = 0;
    std::uint64_t block = 0;
    std::uint32_t interval = 0;
    ObjectId object = kNone;
    std::int64_t granule = 0;
    std::uint32_t user = 0;
    std::uint32_t copier = 0;
    bool read = false;  ///< the copy reads what is used
  };
  /// Calls `each(granule, thread)`.
  template <class Each>
  void eachGranule(const simt::WarpContext& context, const simt::MemoryAccess& access, const Each& each);
  void note(const simt::WarpContext& context, const simt::MemoryAccess& access, std::int64_t granule,
            std::uint32_t thread, const Copy& copy);
  [[nodiscard]] Finding findingOf(std::uint32_t user, std::uint32_t copier, const Place& place) const;

  const Program& program_;
  const Launch& launch_;
  provenance::Granules granules_;
  bool byBarriers_ = false;                                            ///< copies arrive at barriers in shared memory
  std::vector<std::vector<Copy>> copies_;                              ///< per object and granule; of shared arrays
  std::vector<std::vector<Copy>> reading_;                             ///< the same, of the bulk copies that read them
  Source source_;                                                      ///< of the next bulk copy
  std::map<std::pair<std::uint32_t, std::uint32_t>, Source> sources_;  ///< by warp and number
  bool anyIssued_ = false;                                             ///< in this block
  std::map<std::pair<std::uint32_t, std::uint32_t>, Place> places_;    ///< by the instructions that use and copy
};

}  // namespace haloscope::faults
