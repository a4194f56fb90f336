#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "../AskedAnswer.h"
#include "../ProgramMutator.h"
#include "frontend/Messages.h"
#include "program/SourceLocation.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t maxSize);

namespace {

using namespace haloscope;

std::size_t put(std::span<const std::byte> bytes, std::uint8_t* data, std::size_t maxSize) {
  const std::size_t size = std::min(bytes.size(), maxSize);
  std::memcpy(data, bytes.data(), size);
  return size;
}

/// With another program in it, if it is the answer with a program.
std::optional<fuzz::AskedAnswer> withChangedProgram(const fuzz::AskedAnswer& asked, unsigned seed) {
  try {
    const frontend::Request request = frontend::decodeRequest(asked.request);
    frontend::Answer answer = frontend::decodeAnswer(asked.answer, request);
    auto* const compiled = std::get_if<frontend::CompileResult>(&answer);
    if (compiled == nullptr) { return std::nullopt; }
    compiled->program = fuzz::mutatedProgram(compiled->program, seed);
    return fuzz::AskedAnswer{asked.request, encode(answer)};
  } catch (const InputError&) { return std::nullopt; }
}

}  // namespace

/// What is taken for an answer is, sent on, the same answer.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::optional<fuzz::AskedAnswer> asked = fuzz::split(std::as_bytes(std::span(data, size)));
  if (!asked) { return 0; }
  try {
    const frontend::Request request = frontend::decodeRequest(asked->request);
    const std::vector<std::byte> sentOn = encode(frontend::decodeAnswer(asked->answer, request));
    try {
      if (encode(frontend::decodeAnswer(sentOn, request)) != sentOn) { std::abort(); }
    } catch (const InputError&) { std::abort(); }
  } catch (const InputError&) {}
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t maxSize,
                                               unsigned seed) {
  const std::span<const std::byte> bytes = std::as_bytes(std::span(data, size));
  constexpr unsigned kWays = 4;
  if (seed % kWays == 0) { return LLVMFuzzerMutate(data, size, maxSize); }
  if (std::optional<fuzz::AskedAnswer> asked = fuzz::split(bytes)) {
    if (seed % kWays == 1) {
      if (const auto changed = withChangedProgram(*asked, seed)) { return put(join(*changed), data, maxSize); }
    }
    asked->answer = fuzz::mutatedBytes(asked->answer, seed);
    return put(join(*asked), data, maxSize);
  }
  return put(fuzz::mutatedBytes(bytes, seed), data, maxSize);
}
