#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "provenance/WrittenElements.h"
#include "simt/Observer.h"

namespace haloscope::provenance {

/// Finds the blocks in which an unwritten element is read, and the loads that do it. That is not a fault in
/// itself, since the value may lead nowhere: Initialisation follows it in these blocks.
class UnwrittenReads final : public simt::Observer {
 public:
  UnwrittenReads(const Program& program, const Launch& launch, std::vector<UndefinedArray> undefinedGlobals);

  [[nodiscard]] Wants wants() const override { return {.accesses = true}; }
  [[nodiscard]] bool listensTo(std::uint32_t instruction) const override { return written_.concerns(instruction); }
  [[nodiscard]] std::unique_ptr<Observer> fork() const override;
  void join(Observer& worker) override;
  void blockBegins(const Dim3& block, std::uint64_t blockLinear) override;
  void access(const simt::WarpContext& context, const simt::MemoryAccess& access) override;
  void meetCluster(std::span<Observer* const> forks) override { cluster_.assign(forks.begin(), forks.end()); }
  void clusterAccess(const simt::WarpContext& context, const simt::MemoryAccess& access, std::uint32_t rank) override;

  /// Linear indices, ascending.
  [[nodiscard]] const std::vector<std::uint64_t>& blocks() const { return blocks_; }
  /// Indices into Program::code, ascending.
  [[nodiscard]] std::vector<std::uint32_t> loads() const;

 private:
  void look(const simt::WarpContext& context, const simt::MemoryAccess& access, WrittenElements& written);

  const Program& program_;
  const Launch& launch_;
  std::vector<UndefinedArray> undefinedGlobals_;
  WrittenElements written_;
  std::vector<bool> reads_;  ///< per instruction
  std::vector<std::uint64_t> blocks_;
  std::vector<Observer*> cluster_;  ///< those of the blocks of the cluster, by rank
};

}  // namespace haloscope::provenance
