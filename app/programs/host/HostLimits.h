#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace haloscope::host {

/// The command word with which a Haloscope process starts itself again as one of these, and the descriptor on which it
/// then finds its socket.
inline constexpr const char* kHostCommand = "host-process";
inline constexpr int kHostSocket = 3;

/// What the child process is told on its command line, before it receives anything of the program.
struct HostLimits {
  std::size_t memoryBytes = 0;
  std::chrono::seconds compileTime{}, runTime{};  ///< of processors
  std::string compilerHeaders;                    ///< folder of Clang's own headers

  [[nodiscard]] std::vector<std::string> toArguments() const;
  /// Throws InputError.
  static HostLimits fromArguments(const std::vector<std::string>& arguments);
};

}  // namespace haloscope::host
