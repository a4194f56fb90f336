#pragma once

#include <memory>
#include <string>
#include <vector>

#include "faults/NumberObserver.h"

namespace haloscope::faults {

/// Unsigned values that passed below zero on their way to an address, to floating point, or to a comparison with zero
/// that can have one outcome only because the value is unsigned, and upward loops that a negative start ends because
/// the comparison is unsigned. Wrap-around that does no harm is none of its business: a result that goes back to int,
/// that a guard of the kind `x < N` catches, or that is a hash or a random number.
class UnsignedWraps final : public NumberObserver {
 public:
  explicit UnsignedWraps(const Program& program);
  [[nodiscard]] std::unique_ptr<Observer> fork() const override { return std::make_unique<UnsignedWraps>(program_); }
  [[nodiscard]] std::vector<Finding> findings() const;
  /// Comparisons that can have one outcome only, of values that did not pass below zero: a sentence each.
  [[nodiscard]] std::vector<std::string> notes() const;

 protected:
  [[nodiscard]] bool faulty(const simt::Warp& warp, const Instruction& instruction, int lane) const override;

 private:
  [[nodiscard]] RegisterId watched(const Instruction& instruction) const;
  [[nodiscard]] bool mayWrap(RegisterId reg, std::uint32_t instruction) const;
  [[nodiscard]] bool isDifference(RegisterId reg, std::uint32_t instruction) const;
  [[nodiscard]] bool isWidened(RegisterId reg, std::uint32_t instruction) const;
  [[nodiscard]] RegisterId comparedSigned(std::uint32_t instruction) const;
  [[nodiscard]] bool endsLoop(std::uint32_t instruction) const;
  [[nodiscard]] bool isSeen(std::uint32_t instruction) const;
  [[nodiscard]] std::string decidedMessage(std::uint32_t instruction) const;
  [[nodiscard]] std::string wrapMessage(std::uint32_t instruction, RegisterId reg, std::uint64_t value) const;
  [[nodiscard]] std::string loopMessage(std::uint32_t instruction, const Occurrences& sighting) const;
};

}  // namespace haloscope::faults
