#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "../LoggedKernel.h"
#include "program/SourceLocation.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t maxSize);

namespace {

using namespace haloscope;

std::span<const std::byte> bytesAt(const std::uint8_t* data, std::size_t size) {
  return std::as_bytes(std::span(data, size));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    fuzz::readBack(bytesAt(data, size));
  } catch (const InputError&) {}  // it is no log
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t maxSize,
                                               unsigned seed) {
  if (seed % 16 == 0) { return LLVMFuzzerMutate(data, size, maxSize); }
  try {
    const std::vector<std::byte> bytes =
        fuzz::bytesOf(fuzz::mutatedLog(fuzz::loggedKernelOf(bytesAt(data, size)), seed));
    if (bytes.size() > maxSize) { return size; }
    std::memcpy(data, bytes.data(), bytes.size());
    return bytes.size();
  } catch (const InputError&) { return LLVMFuzzerMutate(data, size, maxSize); }
}
