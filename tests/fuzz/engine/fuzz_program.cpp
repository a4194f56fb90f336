#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "../ExecutedProgram.h"
#include "../ProgramMutator.h"
#include "program/SourceLocation.h"
#include "program/StoredProgram.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t maxSize);

namespace {

using namespace haloscope;

std::span<const std::byte> bytesAt(const std::uint8_t* data, std::size_t size) {
  return std::as_bytes(std::span(data, size));
}

std::size_t put(std::span<const std::byte> bytes, std::uint8_t* data, std::size_t maxSize) {
  const std::size_t size = std::min(bytes.size(), maxSize);
  std::memcpy(data, bytes.data(), size);
  return size;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static_cast<void>(fuzz::executeStored(bytesAt(data, size)));
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t maxSize,
                                               unsigned seed) {
  if (seed % 16 == 0) { return LLVMFuzzerMutate(data, size, maxSize); }
  try {
    return put(store(fuzz::mutatedProgram(readProgram(bytesAt(data, size)), seed)), data, maxSize);
  } catch (const InputError&) { return put(fuzz::mutatedBytes(bytesAt(data, size), seed), data, maxSize); }
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* one, std::size_t oneSize,
                                                 const std::uint8_t* other, std::size_t otherSize, std::uint8_t* out,
                                                 std::size_t maxSize, unsigned seed) {
  try {
    return put(
        store(fuzz::joinedPrograms(readProgram(bytesAt(one, oneSize)), readProgram(bytesAt(other, otherSize)), seed)),
        out, maxSize);
  } catch (const InputError&) { return put(bytesAt(one, oneSize), out, maxSize); }
}
