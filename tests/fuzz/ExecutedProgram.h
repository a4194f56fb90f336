#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "program/Program.h"

namespace haloscope::fuzz {

/// What became of stored bytes that claim to be a program.
struct ExecutedProgram {
  std::string refusal;    ///< why they are none; empty: they are one
  bool executed = false;  ///< its launch was possible
  std::size_t steps = 0;  ///< of its recording
  std::string message{};  ///< how the execution ended, if not as it should
};

/// Reads the program and executes it on the emulator with everything that observes executions, records a block of it
/// and goes through the recording; a small launch, with small budgets. Throws what the program itself never throws.
ExecutedProgram executeStored(std::span<const std::byte> bytes);

}  // namespace haloscope::fuzz
