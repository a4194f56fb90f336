#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "program/Program.h"

namespace haloscope::gpu {

/// Kernel arguments, laid out like the parameter list: the scalars of a struct passed by value are contiguous.
class Arguments {
 public:
  explicit Arguments(const Program& program);

  /// Sets one of Program::parameters: a scalar's bits in the low bytes, or a device address.
  void set(std::size_t parameter, std::uint64_t bits);
  /// Sets an array inside a struct passed by value.
  void set(const MemoryObject& array, std::span<const std::byte> bytes);

  /// One pointer per parameter in the source, for cuLaunchKernel. Valid for the lifetime of this object.
  [[nodiscard]] std::vector<void*> pointers() const;

 private:
  struct Place {
    std::size_t byte = 0;  ///< in words_
    std::size_t bytes = 0;
  };

  void copy(std::size_t byte, std::span<const std::byte> bytes);

  std::vector<std::uint64_t> words_;    ///< every argument starts at a word boundary
  std::vector<std::size_t> arguments_;  ///< first word of each parameter in the source
  std::vector<Place> parameters_;       ///< per Program::parameters
};

}  // namespace haloscope::gpu
