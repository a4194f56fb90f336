#pragma once

#include <string>

#include "program/Launch.h"
#include "program/Program.h"

namespace haloscope::fuzz {

/// What became of a program that the emulator and its own machine code have executed.
struct CodeDifference {
  bool compiled = false;     ///< the compiler carries it
  bool finished = false;     ///< its machine code has come to its end
  std::string difference{};  ///< empty: what it has computed is what the emulator has
};

/// A small launch, of a shape and with arguments that the seed chooses. Throws InputError as smallLaunch() does.
[[nodiscard]] Launch launchOf(const Program& program, unsigned seed);

/// Executes a launch both ways, with small budgets; machine code in this process, over arrays that end where memory
/// ends. Throws InputError where the launch does not fit the program.
[[nodiscard]] CodeDifference differenceOf(const Program& program, const Launch& launch, unsigned workers);

}  // namespace haloscope::fuzz
