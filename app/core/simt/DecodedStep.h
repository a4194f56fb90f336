#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "program/Program.h"
#include "simt/Observer.h"

/// The data of the emulator's inner loop: one decoded instruction, and the state it acts on.
namespace haloscope::simt {

/// The location of a register: a byte offset into the warp's registers or, with the top bit set, into those that all
/// warps of a worker share (constants, blockIdx, temporaries not live across a barrier).
using Operand = std::uint32_t;
inline constexpr Operand kSharedOperand = 0x80000000U;

struct DecodedStep;
struct StepContext;
class WriteClaims;
using StepFunction = void (*)(const DecodedStep&, StepContext&);

/// One decoded instruction without control flow: 32 bytes, so that a sequence of steps streams through the cache.
struct DecodedStep {
  StepFunction run = nullptr;
  Operand dst = 0;
  Operand a = 0;
  Operand b = 0;
  Operand c = 0;
  std::uint32_t aux = 0;          ///< object of a memory access, scale of an Offset
  std::uint32_t instruction = 0;  ///< index into Program::code
};

/// The address of a memory object, to which pointers resolve.
struct ObjectView {
  std::byte* data = nullptr;      ///< null for Local objects, whose storage belongs to the warp
  std::uint64_t bytes = 0;        ///< of one thread's copy, for Local objects
  std::uint64_t pointerBits = 0;  ///< the packed pointer to its first byte
  std::uint64_t localOffset = 0;  ///< of Local objects: where the warp's copies begin
  MemorySpace space = MemorySpace::Global;
};

/// Receives notifications of memory steps: all faults, and the accesses of observed steps.
class AccessListener {
 public:
  /// `access` lacks the memory space and the element type, which the listener adds.
  virtual void accessed(MemoryAccess& access) = 0;
  /// `fault` lacks the unmapped lanes, which the listener adds.
  virtual void outOfBounds(OutOfBounds& fault) = 0;
  /// Whether an asynchronous store to this object is to take effect later.
  virtual bool takesCopy(std::uint32_t instruction, ObjectId object) = 0;
  /// Such a store; `access` as for accessed().
  virtual void copyIssued(MemoryAccess& access) = 0;

 protected:
  ~AccessListener() = default;
};

/// What the threads of a block have said at a barrier that asks them.
struct BarrierVoting {
  std::uint32_t yes = 0;
  std::uint32_t all = 0;
};

/// The state that steps act on: registers and memory of the current warp.
struct StepContext {
  std::array<std::byte*, 2> registers{};  ///< the warp's; those that the worker's warps share
  LaneMask active = 0;
  std::span<const ObjectView> objects;
  std::byte* local = nullptr;  ///< the warp's storage for Local objects
  AccessListener* listener = nullptr;
  std::uint32_t rank = 0;         ///< of the block in its cluster
  BarrierVoting votes{};          ///< at the barrier that the block has passed last
  WriteClaims* claims = nullptr;  ///< of the launch, if other workers store at the same time
  std::uint8_t worker = 0;        ///< in these; from 1

  template <class Lane>
  [[gnu::always_inline]] Lane* lanes(Operand operand) const {
    std::byte* at = registers[operand >> 31] + (operand & ~kSharedOperand);
    return static_cast<Lane*>(__builtin_assume_aligned(at, 64));
  }

  /// The first byte of lane 0's view of an object; lane l's view is l * laneStride(object) bytes further.
  [[gnu::always_inline]] std::byte* base(const ObjectView& object) const {
    return object.space == MemorySpace::Local ? local + object.localOffset : object.data;
  }
};

}  // namespace haloscope::simt
