#pragma once

#include <cstdint>
#include <optional>

#include "process/NamedFiles.h"

/// What host code does with memory that a kernel, or an asynchronous copy, may still be using. Such memory is
/// protected, so that each access is a fault. Then the page is opened for that one instruction, as far as the processor
/// can stop behind it, so that every access is known by its address; else, and after very many of them, the page stays
/// open and only the first access in it is known.
namespace haloscope::host::runtime {

/// Accesses of one instruction of the program: the bytes at these addresses, at least.
struct EarlyRun {
  std::uint64_t address = 0;  ///< the lowest
  std::uint64_t step = 1, count = 1;
  bool writes = false;
  std::uint64_t code = 0;  ///< the instruction
  process::TextPlace at{};
};

struct HostAccess {
  std::uint64_t address = 0, code = 0;
  bool writes = false;
};

/// While it exists, no handler looks at the memory. Nothing may fault meanwhile.
class EarlyLock {
 public:
  EarlyLock();
  ~EarlyLock();
  EarlyLock(const EarlyLock&) = delete;
  EarlyLock& operator=(const EarlyLock&) = delete;
};

enum class Early : std::uint8_t {
  Not,      ///< the fault is another one
  Noted,    ///< the program can go on
  Watched,  ///< it can go on, by one instruction: then endEarlyAccess() is to be called
};
/// In a handler, after this access has failed. `at` says where the program is.
[[nodiscard]] Early beginEarlyAccess(HostAccess access, process::TextPlace (*at)());
/// In a handler, behind that instruction; false: this thread has begun none.
[[nodiscard]] bool endEarlyAccess();

/// The next that is not reported yet. Not for handlers.
[[nodiscard]] std::optional<EarlyRun> takeEarlyRun();

}  // namespace haloscope::host::runtime
