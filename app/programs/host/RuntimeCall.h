#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "host/EarlyAccesses.h"
#include "host/Guest.h"
#include "host/HostMessages.h"
#include "process/TrappedCall.h"
#include "program/Channel.h"

/// What the functions of the runtime share: the state of the process, and a call of the parent.
namespace haloscope::host::runtime {

using process::TextPlace;

/// As haloscope_place and haloscope_rows in the prelude.
struct CallPlace {
  const char* file;
  int line;
};
/// As `haloscope_caller` in the stand-in for thrust: the place is the innermost one of the program's own text.
inline bool isOnStack(const CallPlace& at) { return at.line == -1; }
struct CallRows {
  void* destination;
  std::size_t destinationPitch;
  const void* source;
  std::size_t sourcePitch, width, height;
};
/// As dim3 there.
struct CallDim3 {
  unsigned x, y, z;
};
/// As cudaMemsetParams and cudaKernelNodeParams, see GraphHeader.h.
struct CallFill {
  void* memory;
  std::size_t pitch;
  unsigned value, element;
  std::size_t width, height;
};
struct CallLaunch {
  void* kernel;
  CallDim3 grid, block;
  unsigned shared;
  void** arguments;
};

// The errors that this side finds by itself.
inline constexpr int kSuccess = 0, kMemoryAllocation = 2, kMissingConfiguration = 52, kInvalidDeviceFunction = 98;
inline constexpr int kInvalidSymbol = 13;

/// The host's memory that kernels can use, or that is only page-locked.
struct HostBlock {
  std::byte* data = nullptr;
  std::size_t bytes = 0;
  bool mapped = false;  ///< by cudaMallocManaged and the like, in pages of its own
  /// What a kernel or an asynchronous copy that host code has not waited for does with it. Until then host code cannot
  /// access it, or only read it: each attempt is a fault, see EarlyAccesses.h.
  KernelUse use = KernelUse::None;

  void setUse(KernelUse to) {
    if (!mapped || to == use) { return; }
    const EarlyLock lock;
    use = to;
    mprotect(data, std::max<std::size_t>(bytes, 1), access());
  }
  /// What host code may do with it.
  [[nodiscard]] int access() const {
    return use == KernelUse::None ? PROT_READ | PROT_WRITE : use == KernelUse::Reads ? PROT_READ : PROT_NONE;
  }
};

/// A kernel or a variable of the device as a file of the program declares it.
struct Symbol {
  std::string name;
  std::uint32_t file = 0;
};

struct State {
  Channel* channel = nullptr;
  const HostStart* start = nullptr;
  const Guest* guest = nullptr;           ///< whose arrays are gathered
  std::uint32_t file = 0;                 ///< the one whose constructors run
  std::map<const void*, Symbol> kernels;  ///< by the function that launches them
  std::map<const void*, Symbol> symbols;  ///< by the host's shadow
  std::map<std::string, std::vector<std::uint64_t>> argumentSizes;
  std::vector<HostBlock> blocks;
  std::atomic<bool> mapsMemory = false;  ///< one of them was ever mapped
  std::vector<std::pair<void (*)(void*), void*>> atExit;
  TextPlace call;
  int lastError = kSuccess;
  int stickyError = kSuccess;
};

/// One for the process: the program calls plain functions.
State& state();
/// Calls of several threads take turns.
std::recursive_mutex& turns();

inline std::uint64_t addressOf(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

/// Device addresses are none that a process on x86-64 or AArch64 can have: a host that follows one faults.
inline bool isDevice(const void* pointer) { return addressOf(pointer) >> 47 != 0; }
inline std::span<const std::byte> bytesAt(const void* data, std::size_t bytes) {
  return {static_cast<const std::byte*>(data), bytes};
}

TextPlace placeOf(const CallPlace& at);
/// Sends what handlers of signals have noted.
void reportNoted();
/// The program has waited for everything.
void waited();
/// The call before has failed with this error, which it returns.
int failed(int error);

/// While it exists, the runtime can use all of the host's memory.
class Opened {
 public:
  Opened() {
    for (HostBlock& one : state().blocks) {
      uses_.push_back(one.use);
      one.setUse(KernelUse::None);
    }
  }
  ~Opened() {
    auto& blocks = state().blocks;
    for (std::size_t i = 0; i < blocks.size(); ++i) { blocks[i].setUse(uses_[i]); }
  }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;
  /// How a kernel uses a block from this call on. Repeated runs do not need it and leave it out.
  void add(std::size_t block, KernelUse use) {
    if (!state().start->repeatable) { uses_.at(block) = std::max(uses_.at(block), use); }
  }
  void add(const void* memory, KernelUse use) {
    const auto& blocks = state().blocks;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      if (memory >= blocks[i].data && memory < blocks[i].data + blocks[i].bytes) { add(i, use); }
    }
  }

 private:
  std::vector<KernelUse> uses_;
};

/// A call of the runtime: takes its turn, and says where the program is.
class Call {
 public:
  explicit Call(const CallPlace& at);
  ~Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  Packet exchange(const HostMessage& message, std::span<const std::span<const std::byte>> payload = {});
  [[nodiscard]] const HostReply& reply() const { return reply_; }
  int ask(const HostMessage& message, std::span<const std::span<const std::byte>> payload = {}) {
    exchange(message, payload);
    return reply_.error;
  }

 private:
  std::lock_guard<std::recursive_mutex> lock_;
  HostReply reply_;
};

template <typename Function>
void* of(Function* function) {
  return reinterpret_cast<void*>(function);
}

/// Those that allocate, copy and fill memory.
[[nodiscard]] GuestSymbols memorySymbols();

}  // namespace haloscope::host::runtime
