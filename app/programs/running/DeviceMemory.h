#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "host/HostMessages.h"
#include "host/HostProgram.h"

/// The device's memory as an executed program has it: an object for each allocation.
namespace haloscope::running {

using AllocationId = std::uint32_t;

struct Allocation {
  AllocationId id = 0;
  std::string name{};      ///< of a variable: its own; otherwise empty
  std::string label{};     ///< what the program calls it where it allocates it: "d_in"; may be empty
  std::uint32_t file = 0;  ///< of a variable: index into HostProgram::files
  host::HostMemory memory = host::HostMemory::Device;
  std::uint32_t device = 0;  ///< the GPU whose memory it is
  host::HostPlace allocatedAt{}, freedAt{};
  std::uint64_t hostAddress = 0;     ///< of memory that the host can use, too
  std::uint64_t size = 0;            ///< in bytes, also after it was freed
  std::uint64_t pitch = 0, row = 0;  ///< of rows as they were last copied or filled, longer than what they hold; or 0
  std::vector<std::byte> bytes{};    ///< empty until something is written or read, see DeviceMemory::bytesOf()
  bool constant = false;             ///< a `__constant__` variable
  std::uint64_t filled = 0;          ///< bytes from its beginning to the last that the host has copied or filled
  host::HostPlace filledAt{};
  bool freed = false;
};

/// Where an address points.
struct DevicePlace {
  AllocationId allocation = 0;
  std::int64_t offset = 0;  ///< bytes
};

/// What uninitialised memory holds, word by word: NaN in floating-point types. No program is likely to write it, so a
/// word that holds it has not been written since, or with what came from such a word.
inline constexpr std::uint32_t kUnwrittenWord = 0xfffbfffd;

/// For each word of an array that was allocated on the device, see provenance::UndefinedArray, whether nothing has
/// written it since. Null if all are written.
[[nodiscard]] std::shared_ptr<const std::vector<bool>> unwrittenWords(std::span<const std::byte> bytes);

class DeviceMemory {
 public:
  /// What this program may allocate together, memory of the host that kernels can use included.
  /// `unwritten`: what the words of single allocations hold before something is written, instead of kUnwrittenWord.
  explicit DeviceMemory(std::uint64_t limit, std::map<AllocationId, std::uint32_t> unwritten = {})
      : limit_(limit), unwritten_(std::move(unwritten)) {}

  /// A new allocation, whose address no host process can have, so that a host that follows it faults. None if there is
  /// not enough memory.
  std::optional<std::uint64_t> allocate(std::uint64_t bytes, const host::HostPlace& at);
  /// Memory of the host that kernels can use at its own address. Null if there is not enough.
  Allocation* addHostMemory(std::uint64_t address, std::uint64_t bytes, host::HostMemory memory,
                            const host::HostPlace& at);
  /// A variable of the device, as a file of the program declares it.
  AllocationId addVariable(std::string name, std::uint32_t file, std::vector<std::byte> initial, bool constant);

  /// The allocation that an address points into or to the end of, freed ones too; none for other addresses, null
  /// included.
  [[nodiscard]] std::optional<DevicePlace> find(std::uint64_t address) const;
  [[nodiscard]] Allocation& at(AllocationId id) { return allocations_.at(id); }
  [[nodiscard]] const Allocation& at(AllocationId id) const { return allocations_.at(id); }
  /// What an allocation holds. An array takes memory only from the first time on that this is asked for: a size alone
  /// costs nothing.
  [[nodiscard]] std::vector<std::byte>& bytesOf(AllocationId id);
  /// What a word of it holds that nothing has written.
  [[nodiscard]] std::uint32_t unwrittenWord(AllocationId id) const;
  [[nodiscard]] const Allocation* variable(const std::string& name, std::uint32_t file) const;
  [[nodiscard]] std::uint64_t addressOf(AllocationId id) const;
  /// Releases an allocation's bytes; it stays known as a freed one.
  void free(AllocationId id, const host::HostPlace& at);
  /// In the order in which they were made.
  [[nodiscard]] const std::vector<Allocation>& all() const { return allocations_; }
  [[nodiscard]] std::uint64_t used() const { return used_; }
  /// What can still be allocated.
  [[nodiscard]] std::uint64_t left() const { return limit_ - std::min(limit_, used_); }
  /// All allocations, which this then has no more, without what they hold.
  [[nodiscard]] std::vector<Allocation> takeNames();

 private:
  std::uint64_t limit_;
  std::map<AllocationId, std::uint32_t> unwritten_;
  std::uint64_t used_ = 0;
  std::vector<Allocation> allocations_;
};

}  // namespace haloscope::running
