#include "driver/Arguments.h"

#include <algorithm>

namespace haloscope::gpu {

Arguments::Arguments(const Program& program) {
  constexpr std::size_t kWord = sizeof(std::uint64_t);
  for (const std::int64_t bytes : program.argumentBytes) {
    arguments_.push_back(words_.size());
    words_.resize(words_.size() + (static_cast<std::size_t>(bytes) + kWord - 1) / kWord);
  }
  for (const Parameter& parameter : program.parameters) {
    const std::size_t first = arguments_.at(parameter.argument) * kWord;
    parameters_.push_back({first + static_cast<std::size_t>(parameter.argumentOffset),
                           static_cast<std::size_t>(sizeInMemory(parameter.type))});
  }
}

void Arguments::set(std::size_t parameter, std::uint64_t bits) {
  // On a little-endian machine the value is in the low bytes.
  const auto bytes = std::as_bytes(std::span(&bits, 1));
  copy(parameters_.at(parameter).byte, bytes.first(parameters_.at(parameter).bytes));
}

void Arguments::set(const MemoryObject& array, std::span<const std::byte> bytes) {
  copy(arguments_.at(array.argument) * sizeof(std::uint64_t) + static_cast<std::size_t>(array.argumentOffset), bytes);
}

void Arguments::copy(std::size_t byte, std::span<const std::byte> bytes) {
  std::ranges::copy(bytes, std::as_writable_bytes(std::span(words_)).subspan(byte, bytes.size()).begin());
}

std::vector<void*> Arguments::pointers() const {
  std::vector<void*> all;
  // The driver's interface lacks const, but only reads.
  for (const std::size_t word : arguments_) { all.push_back(const_cast<std::uint64_t*>(words_.data() + word)); }
  return all;
}

}  // namespace haloscope::gpu
