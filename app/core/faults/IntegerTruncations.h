#pragma once

#include <memory>
#include <vector>

#include "faults/NumberObserver.h"

namespace haloscope::faults {

/// Fractions lost on the way to a floating-point result: an integer division that is not exact and whose quotient
/// becomes a floating-point number, and a floating-point value that is kept in an integer and then used as a
/// floating-point number again. A value rounded by floorf and its kin, converted by a cast, or used as an index, is
/// rounded on purpose; a quotient of indices and sizes counts places.
class IntegerTruncations final : public NumberObserver {
 public:
  explicit IntegerTruncations(const Program& program);
  [[nodiscard]] std::unique_ptr<Observer> fork() const override {
    return std::make_unique<IntegerTruncations>(program_);
  }
  [[nodiscard]] std::vector<Finding> findings() const;

 protected:
  [[nodiscard]] bool faulty(const simt::Warp& warp, const Instruction& instruction, int lane) const override;

 private:
  [[nodiscard]] bool becomesFloating(std::uint32_t instruction) const;
  [[nodiscard]] bool countsPlaces(std::uint32_t instruction) const;
  [[nodiscard]] bool roundedOnPurpose(std::uint32_t instruction) const;
};

}  // namespace haloscope::faults
