#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "program/BlockLog.h"
#include "program/Program.h"

namespace haloscope::fuzz {

/// What a GPU's log of a block is read with, for a small launch: see recording::LoggedBlock.
struct LoggedKernel {
  Program program;
  Program placed;
  std::vector<LogSite> sites;
  BlockLog log;
};

[[nodiscard]] std::vector<std::byte> bytesOf(const LoggedKernel& kernel);
/// Throws InputError where the bytes are none.
[[nodiscard]] LoggedKernel loggedKernelOf(std::span<const std::byte> bytes);

/// A few words of the log changed: heads, payloads, lengths; now and then a site. The same seed gives the same log.
[[nodiscard]] LoggedKernel mutatedLog(LoggedKernel kernel, unsigned seed);

/// Reads the log in each order and goes through the recording; how many steps it has. Throws InputError where the bytes
/// are no log, and what the program itself never throws.
std::size_t readBack(std::span<const std::byte> bytes);

}  // namespace haloscope::fuzz
