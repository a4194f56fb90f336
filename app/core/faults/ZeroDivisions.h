#pragma once

#include <memory>
#include <vector>

#include "faults/NumberObserver.h"

namespace haloscope::faults {

/// Integer divisions and remainders by zero: they have no result, whatever the hardware puts there.
class ZeroDivisions final : public NumberObserver {
 public:
  explicit ZeroDivisions(const Program& program);
  [[nodiscard]] std::unique_ptr<Observer> fork() const override { return std::make_unique<ZeroDivisions>(program_); }
  [[nodiscard]] std::vector<Finding> findings() const;

 protected:
  [[nodiscard]] bool faulty(const simt::Warp& warp, const Instruction& instruction, int lane) const override;
};

}  // namespace haloscope::faults
