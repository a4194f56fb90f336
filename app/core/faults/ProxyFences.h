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

/// Bulk copies from or to shared memory that threads have written by ordinary stores without a fence.proxy.async after
/// them: the copies go another way to memory, the async proxy, and need not find what was stored there, or may come
/// before it (PTX ISA, "Async proxy"). The fence is the writer's, or the copying thread's once it has synchronised with
/// the writer.
class ProxyFences final : public simt::Observer {
 public:
  ProxyFences(const Program& program, const Launch& launch);

  /// Whether the program has bulk copies.
  [[nodiscard]] static bool needed(const Program& program);

  [[nodiscard]] Wants wants() const override { return {.accesses = true}; }
  [[nodiscard]] bool listensTo(std::uint32_t instruction) const override;
  [[nodiscard]] std::unique_ptr<Observer> fork() const override;
  void join(Observer& worker) override;
  void blockBegins(const Dim3& block, std::uint64_t blockLinear) override;
  void access(const simt::WarpContext& context, const simt::MemoryAccess& access) override;
  void memoryBarrierPassed(const simt::WarpContext& context, std::uint64_t barrier) override;
  void fencePassed(const simt::WarpContext& context, FenceScope scope) override;

  /// One for each pair of places in the text. Finding::other is the store.
  [[nodiscard]] std::vector<Finding> findings() const;

 private:
  struct Write {
    std::uint32_t instruction = kNone;  ///< kNone: there is none
    std::uint32_t thread = 0;
    std::uint32_t interval = 0;
    std::uint64_t time = 0;
  };
  struct Fence {
    std::uint32_t interval = 0;
    std::uint64_t time = 0;
    std::uint64_t passed = 0;  ///< when the thread had last passed a barrier in shared memory, before the fence
  };
  struct Place {
    std::uint64_t occurrences = 0;
    std::uint64_t block = 0;
    ObjectId object = kNone;
    std::int64_t granule = 0;
    std::uint32_t copier = 0;
    std::uint32_t writer = 0;
  };
  [[nodiscard]] bool isFenced(const Write& write, std::uint32_t copier) const;
  [[nodiscard]] Finding findingOf(std::uint32_t copy, std::uint32_t store, const Place& place) const;

  const Program& program_;
  const Launch& launch_;
  provenance::Granules granules_;
  std::vector<std::vector<Write>> writes_;  ///< per object and granule; of shared arrays
  std::vector<Fence> fences_;               ///< per thread
  std::vector<std::uint64_t> passed_;       ///< per warp
  std::uint64_t now_ = 0;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Place> places_;  ///< by the instructions that copy and store
};

}  // namespace haloscope::faults
