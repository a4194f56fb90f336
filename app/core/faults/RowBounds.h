#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "faults/Finding.h"
#include "program/Launch.h"
#include "simt/Observer.h"

namespace haloscope::faults {

/// Accesses that stay inside their array and leave its row: `tile[3][9]` in `float tile[4][8]` is `tile[4][1]`, if
/// there is such a row. Only what is written as a subscript of a row counts; code that takes the address of an element
/// and counts on from there means the whole array.
class RowBounds final : public simt::Observer {
 public:
  RowBounds(const Program& program, const Launch& launch);

  /// Whether there is anything to watch: a launch need not be observed otherwise.
  [[nodiscard]] bool needed() const { return needed_; }

  [[nodiscard]] Wants wants() const override { return {.instructions = true}; }
  [[nodiscard]] bool follows(std::uint32_t instruction) const override { return followed_[instruction]; }
  [[nodiscard]] std::unique_ptr<Observer> fork() const override;
  void join(Observer& worker) override;
  void blockBegins(const Dim3& block, std::uint64_t blockLinear) override;
  void instruction(const simt::WarpContext& context, std::uint32_t instruction) override;

  /// Of the kind OutOfBounds, one for each access, in the order of the code.
  [[nodiscard]] std::vector<Finding> findings() const;

 private:
  /// An address that was made outside its row, in a register.
  struct Astray {
    LaneMask lanes = 0;
    std::uint32_t subscript = 0;  ///< the Offset instruction
    std::array<std::int64_t, kWarpSize> index{};
  };
  /// All accesses of one instruction; the first is that of the lowest block.
  struct Place {
    std::uint64_t occurrences = 0;
    std::uint64_t block = 0;   ///< linear
    std::uint64_t thread = 0;  ///< linear in the block
    std::uint32_t interval = 0;
    std::uint32_t subscript = 0;
    std::int64_t index = 0;     ///< that left the row
    std::uint64_t pointer = 0;  ///< where it led, see PackedPointer
  };
  using Where = std::pair<std::uint32_t, RegisterId>;  ///< warp, register

  void subscript(const simt::WarpContext& context, std::uint32_t instruction);
  void accessAstray(const simt::WarpContext& context, std::uint32_t instruction, const Astray& astray);
  [[nodiscard]] Finding findingOf(std::uint32_t instruction, const Place& place) const;

  const Program& program_;
  const Launch& launch_;
  bool needed_ = false;
  std::vector<bool> followed_;      ///< per instruction: makes, carries, uses or replaces an address that may be astray
  std::map<Where, Astray> astray_;  ///< empty, as a rule
  std::map<std::uint32_t, Place> places_;
};

}  // namespace haloscope::faults
