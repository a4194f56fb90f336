#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "host/HostMessages.h"
#include "host/HostProgram.h"
#include "running/DeviceMemory.h"
#include "running/HostFindings.h"
#include "running/LaunchBinding.h"
#include "running/LaunchTouches.h"
#include "running/ProgramRun.h"
#include "running/StreamOrder.h"
#include "running/TouchedBytes.h"

namespace haloscope::running {

/// Operations of a program that touch the same memory, one of them to write it, and that nothing orders: they are in
/// streams that do not wait for each other. On the emulator each is over before the next one begins; a GPU may do both
/// at once. Until a program uses a stream of its own, or memory that the host can use, too, it costs nothing here, and
/// what it has begun by then counts as over.
class UnorderedUses {
 public:
  UnorderedUses(const host::HostProgram& program, const RunOptions& options, const DeviceMemory& memory,
                HostFindings& findings);

  // What the program says of streams and events.
  void created(const host::Create& call, std::uint64_t handle);
  void destroyed(const host::Destroy& call);
  void recorded(const host::RecordEvent& call) { order_.record(call.event, call.stream); }
  void useDevice(std::uint32_t device) {
    active_ = active_ || (allowed_ && device != 0);
    order_.useDevice(device);
  }
  [[nodiscard]] std::optional<std::uint32_t> deviceOf(std::uint64_t stream) const { return order_.deviceOf(stream); }
  void waits(const host::WaitEvent& call) { order_.wait(call.stream, call.event); }
  void synchronized(const host::Synchronize& call);

  // What it does with memory. A call that fails does nothing.
  void allocated(const host::Allocate& call, const ProgramEvent& event);
  void freed(const host::Free& call, const ProgramEvent& event);
  void copied(const host::Copy& call, const ProgramEvent& event);
  void filled(const host::Fill& call, const ProgramEvent& event);
  void copied(const host::SymbolCopy& call, const ProgramEvent& event);

  /// After the host has waited: what it has not waited for does with each allocation that the host can use, too, as a
  /// host::KernelUse. Empty: nothing is known of that.
  [[nodiscard]] std::vector<std::uint64_t> stillUsed() const;
  /// Host code accesses these bytes of memory that something may be at work on. What that does to other bytes of the
  /// allocation alone is no mistake on each GPU.
  void accessed(const DevicePlace& place, const host::EarlyAccess& how, const host::HostPlace& at);

  /// A launch, before it is executed and after it.
  void begins(const ProgramLaunch& launch, const BoundLaunch& bound, std::uint64_t stream);
  void ended(const ProgramLaunch& launch, const BoundLaunch& bound);

 private:
  /// What an operation does with an allocation: at most `reads` and `writes`; `bytes` says which, of all but launches.
  struct Use {
    AllocationId allocation = 0;
    ObjectId object = kNone;  ///< of a launch
    bool reads = false, writes = false;
    TouchedBytes bytes{};
  };
  enum class Kind : std::uint8_t { Launch, Copy, Fill, Allocate, Free };
  struct Operation {
    Kind kind = Kind::Copy;
    OperationPoint point;
    host::HostPlace at;
    std::vector<Use> uses{};
    std::string kernel{};                      ///< of a launch
    std::shared_ptr<LaunchTouches> touches{};  ///< of a launch
    bool ofLibrary = false;                    ///< see host::Copy
  };
  enum class How : std::uint8_t { Reads, Writes, Updates };
  struct Conflict {
    const Operation* earlier = nullptr;
    const Use *earlierUse = nullptr, *use = nullptr;
    How how = How::Reads, before = How::Writes;
    std::uint64_t byte = 0;  ///< the first that both touch
    /// Of two that write: what a launch finds there. Where it writes the same again, the order does not matter.
    std::vector<std::pair<std::uint64_t, std::vector<std::byte>>> found{};
  };

  void waitedForAll();
  [[nodiscard]] bool follows() const { return active_ && !order_.isLost(); }
  /// An operation in this stream follows: any other than the default one is worth it.
  [[nodiscard]] bool follows(std::uint64_t stream) {
    active_ = active_ || (allowed_ && stream != host::kEveryStream && StreamOrder::isOther(stream));
    return follows();
  }
  [[nodiscard]] Use use(const DevicePlace& place, ByteSet bytes, bool writes) const;
  /// The whole of an allocation.
  [[nodiscard]] Use wholeOf(const DevicePlace& place) const;
  /// An operation that has been done: what it disturbs is reported.
  void take(Operation operation, bool hostWaits);
  void add(Operation operation);
  void dropOver();
  /// The operations that nothing orders before this one, the last in its stream, and that it may disturb.
  [[nodiscard]] std::vector<Conflict> conflictsOf(const Operation& later);
  void compare(const Operation& earlier, const Use& before, const Operation& later, const Use& now,
               std::vector<Conflict>& conflicts);
  /// Until another one is asked for. Null if they cannot be known.
  [[nodiscard]] const TouchedBytes* bytesOf(const Operation& operation, const Use& use);
  void report(const Operation& later, const Conflict& conflict);
  [[nodiscard]] std::string elementText(const Operation& later, const Conflict& conflict) const;

  const DeviceMemory& memory_;
  HostFindings& findings_;
  bool allowed_ = false, active_ = false;  ///< from the first stream on: before that there is one order
  StreamOrder order_;
  KnownTouches touches_;
  std::deque<Operation> pending_;
  std::set<std::tuple<std::string, int, std::string, int>> said_;  ///< pairs of places
  std::optional<Operation> launching_;
  std::vector<Conflict> conflicts_;  ///< of the launch
};

}  // namespace haloscope::running
