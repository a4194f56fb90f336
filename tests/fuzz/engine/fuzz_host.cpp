#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <span>
#include <string_view>
#include <vector>

#include "../HostSession.h"
#include "../SessionMutator.h"
#include "FrontendHere.h"
#include "running/ProgramFiles.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t maxSize);

namespace {

namespace fs = std::filesystem;
using namespace haloscope;

std::span<const std::byte> bytesAt(const std::uint8_t* data, std::size_t size) {
  return std::as_bytes(std::span(data, size));
}

std::size_t store(const fuzz::HostSession& session, std::uint8_t* data, std::size_t maxSize) {
  const std::vector<std::byte> bytes = fuzz::bytesOf(session);
  const std::size_t size = std::min(bytes.size(), maxSize);
  std::memcpy(data, bytes.data(), size);
  return size;
}

/// fuzz_host record HALOSCOPE FOLDER PROGRAM…: writes the sessions that are no longer than what is fuzzed, unless they
/// are newer than HALOSCOPE.
int record(std::span<char*> arguments) {
  constexpr std::size_t kMostBytes = 128 << 10;
  const fs::path haloscope = arguments[0];
  for (const char* const program : arguments.subspan(2)) {
    const fs::path to = fs::path(arguments[1]) / fs::path(program).filename();
    if (fs::exists(to) && fs::last_write_time(to) > fs::last_write_time(haloscope)) { continue; }
    try {
      const auto bytes = fuzz::bytesOf(fuzz::recordedSession(running::readProgram(program).program, haloscope));
      if (bytes.size() > kMostBytes) { continue; }
      std::ofstream out(to, std::ios::binary);
      out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    } catch (const std::exception& error) { std::fprintf(stderr, "%s: %s\n", program, error.what()); }
  }
  return 0;
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  haloscope::fuzz::lowerHere();
  const std::span<char*> arguments(*argv, static_cast<std::size_t>(*argc));
  if (arguments.size() > 4 && arguments[1] == std::string_view("record")) { std::exit(record(arguments.subspan(2))); }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::replay(bytesAt(data, size));
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t maxSize,
                                               unsigned seed) {
  if (seed % 32 == 0) { return LLVMFuzzerMutate(data, size, maxSize); }
  return store(fuzz::mutatedSession(fuzz::sessionOf(bytesAt(data, size)), seed), data, maxSize);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* one, std::size_t oneSize,
                                                 const std::uint8_t* other, std::size_t otherSize, std::uint8_t* out,
                                                 std::size_t maxSize, unsigned seed) {
  return store(
      fuzz::joinedSessions(fuzz::sessionOf(bytesAt(one, oneSize)), fuzz::sessionOf(bytesAt(other, otherSize)), seed),
      out, maxSize);
}
