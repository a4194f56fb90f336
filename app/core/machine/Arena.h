#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <span>

#include "process/SharedMemory.h"

namespace haloscope::machine {

/// The memory that this program shares with the processes that execute machine code. Each array lies on pages of its
/// own between pages that no process can touch. Safe from several threads.
class Arena {
 public:
  /// Throws std::system_error. Memory is taken when it is first written.
  explicit Arena(std::size_t bytes) : memory_(bytes) {}

  /// The place of so many bytes, zeroed, aligned to a page; none if there is no room.
  [[nodiscard]] std::optional<std::uint64_t> take(std::size_t bytes);
  /// Gives them back.
  void give(std::uint64_t place);
  [[nodiscard]] std::span<std::byte> at(std::uint64_t place, std::size_t bytes) const {
    return memory_.bytes().subspan(place, bytes);
  }
  [[nodiscard]] int file() const { return memory_.file(); }

 private:
  process::SharedMemory memory_;
  std::mutex mutex_;
  std::map<std::uint64_t, std::size_t> taken_;  ///< with the page behind each
};

}  // namespace haloscope::machine
