#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "program/Program.h"

namespace haloscope::gpu {

/// The values that a kernel is launched with, laid out as its parameter list has them: the scalars of a struct that is
/// passed by value lie together.
class Arguments {
 public:
  explicit Arguments(const Program& program);

  /// Sets one of Program::parameters: a scalar's bits in the low bytes, or a device address.
  void set(std::size_t parameter, std::uint64_t bits);
  /// Sets an array inside a struct that is passed by value.
  void set(const MemoryObject& array, std::span<const std::byte> bytes);

  /// One pointer for each parameter of the text, as cuLaunchKernel takes them. They stay valid as long as this does.
  [[nodiscard]] std::vector<void*> pointers() const;

 private:
  struct Place {
    std::size_t byte = 0;  ///< in words_
    std::size_t bytes = 0;
  };

  void copy(std::size_t byte, std::span<const std::byte> bytes);

  std::vector<std::uint64_t> words_;    ///< every argument begins with a word of its own
  std::vector<std::size_t> arguments_;  ///< its first word, per parameter of the text
  std::vector<Place> parameters_;       ///< per Program::parameters
};

}  // namespace haloscope::gpu
