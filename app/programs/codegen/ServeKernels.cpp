#include "codegen/ServeKernels.h"

#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string_view>
#include <thread>

#include "codegen/BlockCode.h"
#include "codegen/Carried.h"
#include "machine/MachineMessages.h"
#include "machine/ShapeDependence.h"
#include "process/Confinement.h"
#include "process/ForkServer.h"
#include "process/SharedMemory.h"
#include "program/Channel.h"
#include "program/SourceLocation.h"
#include "simt/Executor.h"

namespace haloscope::codegen {
namespace {

using machine::Swept;

constexpr std::size_t kMemoryBytes = std::size_t{3} << 30;
constexpr std::chrono::hours kProcessorTime{24};
constexpr unsigned kMostWorkers = 64;

/// The arrays of a task in the shared memory; all else of it is out of reach from now on. Throws std::runtime_error.
std::vector<std::byte*> reachOnly(const machine::Task& task, std::span<std::byte> arena) {
  if (mprotect(arena.data(), arena.size(), PROT_NONE) != 0) {
    throw std::runtime_error("the memory cannot be protected");
  }
  std::vector<std::byte*> arrays;
  for (std::size_t i = 0; i < task.places.size(); ++i) {
    const std::uint64_t place = task.places[i], bytes = task.shape.objectBytes[i];
    if (place == 0) {
      arrays.push_back(nullptr);
      continue;
    }
    const bool inside = place < arena.size() && bytes <= arena.size() - place;
    if (!inside || mprotect(arena.data() + place, bytes, PROT_READ | PROT_WRITE) != 0) {
      throw std::runtime_error("an array is not in the shared memory");
    }
    arrays.push_back(arena.data() + place);
  }
  return arrays;
}

Swept::Outcome sweepAll(const BlockCode& code, std::vector<std::byte*> arrays, const machine::Sweeps& sweeps,
                        unsigned workers, bool storesByShape, bool& settled) {
  for (std::uint32_t i = 0; i < sweeps.count; ++i) {
    const bool alone = sweeps.oneWorker || workers == 1;
    const CodeOutcome outcome = code.execute({.arrays = arrays,
                                              .workers = alone ? 1 : workers,
                                              .blockBudget = sweeps.blockBudget,
                                              .launchBudget = sweeps.launchBudget,
                                              .claims = !alone && !settled});
    if (outcome == CodeOutcome::Conflict) { return Swept::Outcome::Conflict; }
    if (outcome != CodeOutcome::Finished) { return Swept::Outcome::GaveUp; }
    settled |= !alone && storesByShape;
    std::vector<std::byte*> next = arrays;
    for (std::size_t object = 0; object < sweeps.objects.size(); ++object) {
      next.at(sweeps.objects[object]) = arrays.at(sweeps.successors[object]);
    }
    arrays = std::move(next);
  }
  return Swept::Outcome::Finished;
}

void serveKernel(const process::Isolation& isolation, std::span<std::byte> arena, int socket) {
  Channel channel(socket);
  machine::Prepared prepared;
  std::optional<process::Confinement> confinement;
  const unsigned cores = std::min(std::max(1U, std::thread::hardware_concurrency()), kMostWorkers);
  try {
    confinement.emplace(
        isolation,
        process::ConfinementLimits{.memoryBytes = kMemoryBytes, .processorTime = kProcessorTime, .threads = cores},
        std::vector{socket});
  } catch (const process::ConfinementError& error) {
    prepared.why = error.what();
    channel.send(encode(prepared));
    return;
  }
  const std::optional<Packet> packet = channel.receive();
  if (!packet) { return; }
  const machine::Task task = machine::decodeTask(packet->message);
  std::optional<BlockCode> code;
  std::vector<std::byte*> arrays;
  try {
    arrays = reachOnly(task, arena);
    prepared.why = notCarried(task.program, task.shape);
    if (!prepared.why.empty()) {
      prepared.outcome = machine::Prepared::Outcome::NotCarried;
    } else {
      code.emplace(task.program, task.shape, task.set);
    }
    confinement->forbidNewCode();
  } catch (const std::logic_error& error) {  // of this compiler
    code.reset();
    prepared = {.outcome = machine::Prepared::Outcome::NotCarried, .why = error.what()};
  } catch (const std::exception& error) {
    code.reset();
    prepared.why = error.what();
  }
  if (code) { prepared.outcome = machine::Prepared::Outcome::Ready; }
  channel.send(encode(prepared));
  if (!code) { return; }
  const unsigned workers = !confinement->threadsPermitted() || simt::needsBlockOrder(task.program) ? 1 : cores;
  const bool storesByShape = machine::dependenceOf(task.program).stores;
  bool settled = false;  // no two workers store to one element, in this launch or a later one
  while (const std::optional<Packet> next = channel.receive()) {
    const machine::Sweeps sweeps = machine::decodeSweeps(next->message);
    channel.send(encode(Swept{.outcome = sweepAll(*code, arrays, sweeps, workers, storesByShape, settled)}));
  }
}

/// What every kernel needs of LLVM is there before the first one comes.
void warmUp() {
  prepareCodegen();
  Program nothing;
  nothing.code.push_back({.op = Opcode::End});
  static_cast<void>(compileKernel(nothing, {}, simt::bestInstructionSet()));
}

}  // namespace

std::optional<int> serveKernelsIfAsked(int count, const char* const* arguments) {
  if (count != 3 || arguments[1] != std::string_view(machine::kKernelCommand)) { return std::nullopt; }
  if (arguments[2] != std::string_view(HALOSCOPE_VERSION)) { return 1; }
  try {
    const process::SharedMemory arena = process::SharedMemory::of(machine::kArenaFile);
    const process::Isolation isolation({STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO, process::kForkServerSocket});
    try {
      warmUp();
    } catch (const std::exception&) {}  // each kernel will say so
    process::serveForks([&](int socket) {
      try {
        serveKernel(isolation, arena.bytes(), socket);
      } catch (const std::exception&) {}  // the program notices that the process has ended
    });
    return 0;
  } catch (const std::exception&) { return 1; }
}

}  // namespace haloscope::codegen
