#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "program/BlockLog.h"
#include "program/Launch.h"
#include "program/Program.h"
#include "recording/LogStream.h"

namespace haloscope::recording {

/// Where a block's arrays lie in the GPU's memory: the launch knows its own, the threads report the others, and where
/// other blocks of their cluster have them.
class LogPlaces {
 public:
  /// `placed` as in LoggedBlock. `rank`: of the block in its cluster. Throws LogError.
  LogPlaces(const Program& placed, const std::vector<LogSite>& sites, const Launch& launch, const BlockLog& log,
            const std::vector<LogStream>& streams, std::uint32_t rank);

  struct Element {
    ObjectId object = kNone;
    std::int64_t byteOffset = 0;
    std::uint32_t rank = kNone;  ///< of the other block of the cluster whose memory it is
  };
  /// The array that holds so many bytes at an address of a thread; none if no array does.
  [[nodiscard]] std::optional<Element> element(std::uint32_t thread, std::uint64_t address, int bytes) const;
  /// Where the arrays are that all threads see.
  [[nodiscard]] std::map<ObjectId, std::uint64_t> shared() const;
  /// The bits that the emulator's pointer to the same place has.
  [[nodiscard]] std::uint64_t pointer(std::uint32_t thread, std::uint64_t address) const;

 private:
  struct Stretch {
    std::uint64_t begin = 0, bytes = 0;
    ObjectId object = kNone;
    std::uint32_t rank = kNone;
  };
  void addMapped(std::uint32_t thread, std::span<const std::uint32_t> payload, std::uint32_t rank, std::uint64_t ranks);
  /// With no bytes, also an array that ends at the address.
  [[nodiscard]] const Stretch* find(std::uint32_t thread, std::uint64_t address, std::uint64_t bytes) const;

  std::size_t objects_;
  std::vector<Stretch> common_;
  std::vector<std::vector<Stretch>> own_;  ///< of each thread: its local arrays
};

}  // namespace haloscope::recording
