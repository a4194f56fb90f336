#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "simt/Observer.h"

namespace haloscope::analysis {

/// Counts the blocks of a launch as they end. Any thread may ask while it runs.
class FinishedBlocks final : public simt::Observer {
 public:
  [[nodiscard]] std::uint64_t count() const { return *count_; }

  [[nodiscard]] Wants wants() const override { return {}; }
  [[nodiscard]] std::unique_ptr<Observer> fork() const override { return std::make_unique<FinishedBlocks>(*this); }
  void join(Observer& /*worker*/) override {}
  void blockEnds(const Dim3& /*block*/, std::uint64_t /*blockLinear*/) override { ++*count_; }

 private:
  std::shared_ptr<std::atomic<std::uint64_t>> count_ = std::make_shared<std::atomic<std::uint64_t>>(0);  ///< all forks'
};

}  // namespace haloscope::analysis
