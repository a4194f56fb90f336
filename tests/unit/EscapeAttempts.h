#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <ostream>
#include <type_traits>
#include <vector>

#include "ConfinementSupport.h"

/// What hostile code might try.
namespace haloscope::process {

inline constexpr std::size_t kPageBytes = 65536;  ///< of any architecture

/// 0: it got through.
inline int resultOf(long returned) { return returned < 0 ? errno : 0; }

/// As wide as the kernel reads it: syscall() leaves the upper half of an int undefined.
template <typename Argument>
auto wide(Argument argument) {
  if constexpr (std::is_integral_v<Argument>) {
    return static_cast<long>(argument);
  } else if constexpr (std::is_null_pointer_v<Argument>) {
    return 0L;
  } else {
    return argument;
  }
}

template <typename... Arguments>
int call(long number, Arguments... arguments) {
  return resultOf(syscall(number, wide(arguments)...));
}

/// Of a call that gets as far as this error.
inline int resultOrGetsTo(int error, int result) { return result == error ? 0 : result; }

inline int resultOfMap(void* memory) { return memory == MAP_FAILED ? errno : 0; }

inline void* ownPage() { return mmap(nullptr, kPageBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); }

/// Whether it should get through without confinement: Tried is, Dangerous is not even tried.
enum class Control { Tried, Dangerous };

struct Attempt {
  const char* name;
  int (*run)(const Surroundings& around);
  Control control = Control::Tried;
  int refusal = EPERM;
  int answer = 0;  ///< of a call that names a file, where files have names; 0: it is refused as elsewhere
};

inline void PrintTo(const Attempt& attempt, std::ostream* out) { *out << attempt.name; }

using Around = const Surroundings&;

/// Files, descriptors and the network.
[[nodiscard]] std::vector<Attempt> fileEscapes();
/// Other processes, and the own one's limits and rights.
[[nodiscard]] std::vector<Attempt> processEscapes();
/// The kernel's other calls, new code, and memory.
[[nodiscard]] std::vector<Attempt> kernelEscapes();

}  // namespace haloscope::process
