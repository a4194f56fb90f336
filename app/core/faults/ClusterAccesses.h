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

/// Accesses to the shared memory of other blocks of a cluster: races between the blocks, which only the barrier of the
/// cluster orders, and accesses when the other block may not have begun or may have ended. An access comes before
/// another one if its thread arrives at the barrier after it, and the other's has waited there for that before.
class ClusterAccesses final : public simt::Observer {
 public:
  ClusterAccesses(const Program& program, const Launch& launch);

  /// Whether the program has such accesses.
  [[nodiscard]] static bool needed(const Program& program) { return accessesCluster(program); }

  [[nodiscard]] Wants wants() const override { return {.accesses = true}; }
  [[nodiscard]] bool listensTo(std::uint32_t instruction) const override;
  [[nodiscard]] std::unique_ptr<Observer> fork() const override;
  void join(Observer& worker) override;
  void meetCluster(std::span<Observer* const> forks) override;
  void blockBegins(const Dim3& block, std::uint64_t blockLinear) override;
  void access(const simt::WarpContext& context, const simt::MemoryAccess& access) override;
  void copyArrived(const simt::WarpContext& context, const simt::MemoryAccess& access, std::uint32_t copy) override;
  void clusterAccess(const simt::WarpContext& context, const simt::MemoryAccess& access, std::uint32_t rank) override;
  void threadsLeave(const simt::WarpContext& context, std::uint32_t instruction) override;
  void clusterEnds() override;

  /// One for each pair of places in the text, and for each place that may come too early or too late.
  [[nodiscard]] std::vector<Finding> findings() const;

 private:
  /// The last access of a block to an element, of one kind.
  struct Use {
    std::uint64_t cluster = 0;  ///< in which it took place, from 1
    std::uint32_t instruction = kNone;
    std::uint32_t thread = 0;
    std::uint32_t arrived = 0;  ///< see ClusterTime
  };
  struct Uses {
    Use read, write;
  };
  /// An access, in the words of a finding.
  struct Accessor {
    std::uint64_t block = 0;
    std::uint32_t thread = 0;
    std::uint32_t instruction = kNone;
  };
  struct Place {
    std::uint64_t occurrences = 0;
    Accessor first, second;   ///< the first one is of another block's memory; the second one only of a race
    std::uint64_t owner = 0;  ///< the block whose memory it is
    ObjectId object = kNone;
    std::int64_t granule = 0;
    std::uint32_t interval = 0;
    bool tooLate = false;  ///< of a block that may have ended; else one that may not have begun
  };
  /// The last access by an instruction to the memory of one block.
  struct Visit {
    std::uint32_t arrived = 0;
    Place place;
  };
  /// What the forks of one cluster share.
  struct Cluster {
    std::uint64_t number = 1;
    std::vector<std::vector<std::vector<Uses>>> uses;    ///< by owner, object, and granule * ranks + accessor
    std::vector<std::uint64_t> blocks;                   ///< by rank
    std::vector<std::uint32_t> passed;                   ///< by rank: of the threads that have left
    std::vector<std::map<std::uint32_t, Visit>> visits;  ///< by owner, by instruction
  };

  void touch(const simt::WarpContext& context, const simt::MemoryAccess& access, std::uint32_t owner);
  void race(const simt::WarpContext& context, const Use& use, std::uint32_t user, Place place);
  void note(std::map<std::pair<std::uint32_t, std::uint32_t>, Place>& places, std::uint32_t a, std::uint32_t b,
            const Place& place);
  [[nodiscard]] Finding findingOf(const Place& place) const;
  [[nodiscard]] Finding raceOf(const Place& place) const;
  [[nodiscard]] std::string elementOf(const Place& place) const;
  [[nodiscard]] std::string whoOf(const Accessor& accessor) const;
  [[nodiscard]] const char* verbOf(std::uint32_t instruction) const;

  const Program& program_;
  const Launch& launch_;
  provenance::Granules granules_;
  std::shared_ptr<Cluster> cluster_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Place> races_;   ///< by the instructions
  std::map<std::pair<std::uint32_t, std::uint32_t>, Place> strays_;  ///< by the instruction, and whether it is too late
};

}  // namespace haloscope::faults
