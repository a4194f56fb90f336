#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "program/Half.h"
#include "program/Launch.h"
#include "program/Program.h"
#include "simt/RegisterLayout.h"

namespace haloscope::simt {

/// A warp as seen by observers: the register values of its lanes, and its masks.
///
/// In `Observer::instruction` and `Observer::statement` every register can be read. If only accesses are observed,
/// temporaries share storage for speed: such an observer may read variables, but not temporaries.
class Warp {
 public:
  /// The value of a register in a lane, in the low bytes, in register format: types narrower than 32 bits are sign- or
  /// zero-extended to 32; a half has its 16 bits. An unassigned variable has all bits set. Always inlined, because the
  /// linker may keep the copy of a folder that is compiled without optimisation.
  [[nodiscard, gnu::always_inline]] std::uint64_t bits(RegisterId reg, int lane) const {
    const Operand operand = layout_->operands[reg];
    const std::byte* at = registers_[operand >> 31] + (operand & ~kSharedOperand);
    if (sizeInRegister(program_->registers[reg].type) == 8) { return read<std::uint64_t>(at, lane); }
    const auto low = read<std::uint32_t>(at, lane);
    return program_->registers[reg].type == ValueType::F16 ? halfBits(std::bit_cast<float>(low)) : low;
  }
  [[nodiscard]] float asFloat(RegisterId reg, int lane) const {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits(reg, lane)));
  }
  [[nodiscard]] double asDouble(RegisterId reg, int lane) const { return std::bit_cast<double>(bits(reg, lane)); }

  [[nodiscard]] std::uint32_t index() const { return index_; }  ///< of the warp in its block
  [[nodiscard]] LaneMask exited() const { return exited_; }     ///< lanes that left the kernel
  [[nodiscard]] LaneMask live() const { return existing_ & ~exited_; }
  /// Lanes that continue after the current instruction: in the notification of an If, those that take the branch.
  [[nodiscard]] LaneMask active() const { return active_; }
  [[nodiscard]] Dim3 threadIdx(int lane) const {
    return unlinear(std::uint64_t{index_} * kWarpSize + static_cast<std::uint64_t>(lane), *blockDim_);
  }

 protected:
  Warp() = default;
  ~Warp() = default;
  Warp(const Warp&) = default;
  Warp& operator=(const Warp&) = default;

  template <class T>
  static T read(const std::byte* at, int lane) {
    T value;
    std::memcpy(&value, at + static_cast<std::size_t>(lane) * sizeof value, sizeof value);
    return value;
  }

  const Program* program_ = nullptr;
  const RegisterLayout* layout_ = nullptr;
  const Dim3* blockDim_ = nullptr;
  std::array<std::byte*, 2> registers_{};
  std::uint32_t index_ = 0;
  LaneMask existing_ = 0;
  LaneMask exited_ = 0;
  LaneMask active_ = 0;
};

}  // namespace haloscope::simt
