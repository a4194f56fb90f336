#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "machine/KernelShape.h"
#include "program/Program.h"
#include "simt/InstructionSet.h"

/// The messages between the program and a process that executes machine code. Each process serves one kernel and one
/// shape of launches: it receives a Task and answers with Prepared; after that it answers each Sweeps with a Swept.
namespace haloscope::machine {

/// The command word with which `haloscope` is started as the server that forks these processes
/// (codegen/ServeKernels.h). Its argument is the version.
inline constexpr const char* kKernelCommand = "kernel-process";
/// The descriptor on which the server finds the memory of the arrays.
inline constexpr int kArenaFile = 4;

struct Task {
  Program program;
  KernelShape shape;
  simt::InstructionSet set = simt::InstructionSet::Baseline;
  /// Where each global or constant array begins in the shared memory. Between them, pages that nothing may touch.
  std::vector<std::uint64_t> places;
};

struct Prepared {
  enum class Outcome : std::uint8_t {
    Ready,
    NotCarried,  ///< the emulator has to execute this kernel
    NoMachine,   ///< and all others: this system permits no machine code, or cannot confine it
  };
  Outcome outcome = Outcome::NoMachine;
  std::string why;  ///< it is not ready
};

/// Sweep after sweep: a launch, after which each of `objects` gets the contents of its successor.
struct Sweeps {
  std::uint64_t blockBudget = 0, launchBudget = 0;  ///< warp instructions, of a block and of a launch; 0: unlimited
  std::uint32_t count = 1;
  bool oneWorker = false;
  std::vector<ObjectId> objects, successors;
};

struct Swept {
  enum class Outcome : std::uint8_t {
    Finished,
    GaveUp,    ///< the emulator has to do all of it: something is wrong, or takes longer than its budget
    Conflict,  ///< blocks of different workers stored to the same element: one worker has to do all of it
  };
  Outcome outcome = Outcome::Finished;
};

[[nodiscard]] std::vector<std::byte> encode(const Task& task);
[[nodiscard]] std::vector<std::byte> encode(const Prepared& prepared);
[[nodiscard]] std::vector<std::byte> encode(const Sweeps& sweeps);
[[nodiscard]] std::vector<std::byte> encode(const Swept& swept);
// Throw InputError for forged bytes.
[[nodiscard]] Task decodeTask(std::span<const std::byte> bytes);
[[nodiscard]] Prepared decodePrepared(std::span<const std::byte> bytes);
[[nodiscard]] Sweeps decodeSweeps(std::span<const std::byte> bytes);
[[nodiscard]] Swept decodeSwept(std::span<const std::byte> bytes);

}  // namespace haloscope::machine
