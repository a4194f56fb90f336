#pragma once

#include <memory>
#include <vector>

#include "analysis/NumberObserver.h"

namespace haloscope::analysis {

/// Unsigned values that passed below zero on their way to an address, to 64 bits or to floating point, and comparisons
/// with zero that can have one outcome only because the value is unsigned. Wrap-around that does no harm is none of
/// its business: a result that goes back to int, or that a guard of the kind `x < N` catches.
class UnsignedWraps final : public NumberObserver {
 public:
  explicit UnsignedWraps(const Program& program);
  [[nodiscard]] std::unique_ptr<Observer> fork() const override { return std::make_unique<UnsignedWraps>(program_); }
  [[nodiscard]] std::vector<Finding> findings() const;

 protected:
  [[nodiscard]] bool faulty(const simt::Warp& warp, const Instruction& instruction, int lane) const override;

 private:
  [[nodiscard]] RegisterId watched(const Instruction& instruction) const;
  [[nodiscard]] bool mayWrap(RegisterId reg, std::uint32_t instruction) const;
};

}  // namespace haloscope::analysis
