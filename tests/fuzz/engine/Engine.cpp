#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "../TextMutator.h"
#include "FrontendHere.h"

// libFuzzer's hooks that the fuzzers of texts share: how a text is changed.

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t maxSize);

namespace {

const haloscope::fuzz::TextMutator& mutator() {
  static const haloscope::fuzz::TextMutator kMutator(haloscope::fuzz::readDictionary(HALOSCOPE_FUZZ_DIR "/cuda.dict"));
  return kMutator;
}

std::string textOf(const std::uint8_t* data, std::size_t size) { return {reinterpret_cast<const char*>(data), size}; }

std::size_t store(const std::string& text, std::uint8_t* data, std::size_t maxSize) {
  const std::size_t size = std::min(text.size(), maxSize);
  std::memcpy(data, text.data(), size);
  return size;
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  haloscope::fuzz::lowerHere();
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t maxSize,
                                               unsigned seed) {
  // A few changes stay libFuzzer's own: it knows which comparisons failed.
  if (seed % 8 == 0) { return LLVMFuzzerMutate(data, size, maxSize); }
  return store(mutator().mutated(textOf(data, size), seed), data, maxSize);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* one, std::size_t oneSize,
                                                 const std::uint8_t* other, std::size_t otherSize, std::uint8_t* out,
                                                 std::size_t maxSize, unsigned seed) {
  return store(mutator().joined(textOf(one, oneSize), textOf(other, otherSize), seed), out, maxSize);
}
