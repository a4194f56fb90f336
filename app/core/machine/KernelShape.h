#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "program/Launch.h"
#include "program/Program.h"

/// Kernels executed as machine code, seen from the program that asks.
namespace haloscope::machine {

/// What of a launch its machine code is made for: all of it but the contents of the arrays.
struct KernelShape {
  LaunchConfiguration configuration;
  std::vector<std::uint64_t> arguments;              ///< as in Launch
  std::vector<std::optional<std::int64_t>> offsets;  ///< as in Launch
  std::vector<std::uint64_t> objectBytes;            ///< one per Program::objects; of one thread's copy of a local one

  bool operator==(const KernelShape&) const = default;
};

/// Of a launch that fits the program, see simt::checkLaunch().
[[nodiscard]] KernelShape shapeOf(const Program& program, const Launch& launch);

/// A scalar argument, or where a pointer argument points, as a register holds it.
[[nodiscard]] std::uint64_t argumentBits(const Parameter& parameter, const KernelShape& launch, std::size_t place);

}  // namespace haloscope::machine
