#pragma once

#include <memory>
#include <vector>

#include "faults/NumberObserver.h"
#include "program/Launch.h"

namespace haloscope::faults {

/// Sums, differences and products of ints that pass 2^31 on their way to an index or to the comparison that guards one,
/// and unsigned numbers that are too large for the int they become: blockIdx.x * blockDim.x + threadIdx.x. C++ leaves
/// undefined what such a sum is. Here and in a GPU's arithmetic it wraps around, but a compiler may just as well
/// compute an index in 64 bits, so an access that is in bounds here need not be so there: a fault.
class SignedOverflows final : public NumberObserver {
 public:
  /// Only what may overflow in this launch is watched, which in most launches is nothing.
  SignedOverflows(const Program& program, const Launch& launch);
  [[nodiscard]] std::unique_ptr<Observer> fork() const override;
  /// One for each place in the text.
  [[nodiscard]] std::vector<Finding> findings() const;

 protected:
  [[nodiscard]] bool faulty(const simt::Warp& warp, const Instruction& instruction, int lane) const override;

 private:
  SignedOverflows(const SignedOverflows&) = default;
  [[nodiscard]] bool becomesIndex(std::uint32_t instruction) const;
};

}  // namespace haloscope::faults
