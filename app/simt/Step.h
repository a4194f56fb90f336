#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "program/Program.h"
#include "simt/Observer.h"

/// What the inner loop of the emulator touches: one decoded instruction, and the state it acts on.
namespace haloscope::simt {

/// Where a register lives: a byte offset into the warp's own registers or, with the top bit set, into those that all
/// warps of a worker share (constants, blockIdx, temporaries that never outlive a warp's turn).
using Operand = std::uint32_t;
inline constexpr Operand kSharedOperand = 0x80000000U;

struct Step;
struct StepContext;
using StepFunction = void (*)(const Step&, StepContext&);

/// One instruction without control flow, ready to run: 32 bytes, so that a run of steps streams through the cache.
struct Step {
  StepFunction run = nullptr;
  Operand dst = 0;
  Operand a = 0;
  Operand b = 0;
  Operand c = 0;
  std::uint32_t aux = 0;          ///< object of a memory access, scale of an Offset
  std::uint32_t instruction = 0;  ///< index into Program::code
};

/// A memory object as an address: what a pointer to it resolves to.
struct ObjectView {
  std::byte* data = nullptr;      ///< null for Local objects, whose storage comes with the warp
  std::uint64_t bytes = 0;        ///< of one thread's copy, for Local objects
  std::uint64_t pointerBits = 0;  ///< the packed pointer to its first byte
  std::uint64_t localOffset = 0;  ///< of Local objects: where the warp's copies begin
  MemorySpace space = MemorySpace::Global;
};

/// Receives what the memory steps have to tell: faults always, accesses only from the observed variants of the steps.
class AccessListener {
 public:
  /// `access` still lacks the space and the element type, which the listener knows.
  virtual void accessed(MemoryAccess& access) = 0;
  virtual void outOfBounds(const OutOfBounds& fault) = 0;

 protected:
  ~AccessListener() = default;
};

/// The state that steps act on: registers and memory of the warp whose turn it is.
struct StepContext {
  std::array<std::byte*, 2> registers{};  ///< the warp's own; those that the worker's warps share
  LaneMask active = 0;
  std::span<const ObjectView> objects;
  std::byte* local = nullptr;  ///< the warp's storage for Local objects
  AccessListener* listener = nullptr;

  template <class Lane>
  [[gnu::always_inline]] Lane* lanes(Operand operand) const {
    std::byte* at = registers[operand >> 31] + (operand & ~kSharedOperand);
    return static_cast<Lane*>(__builtin_assume_aligned(at, 64));
  }

  /// The first byte of lane 0's view of an object; lane l's lies l * laneStride(object) further.
  [[gnu::always_inline]] std::byte* base(const ObjectView& object) const {
    return object.space == MemorySpace::Local ? local + object.localOffset : object.data;
  }
};

}  // namespace haloscope::simt
