#include <cstddef>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>

#include "../KernelLogs.h"
#include "../KernelPrograms.h"
#include "lowering/ServeCompiler.h"
#include "program/StoredProgram.h"

// fuzz_seeds FOLDER TEXT…: writes what fuzz_program and fuzz_log begin with, of each kernel of the texts: the stored
// program into FOLDER/programs, what a block of it logs into FOLDER/logs.

namespace {

namespace fs = std::filesystem;
using namespace haloscope;

// What is larger is slow to execute.
constexpr std::size_t kMostProgramBytes = 12 << 10;
constexpr std::size_t kMostLogBytes = 64 << 10;

void write(const fs::path& to, std::span<const std::byte> bytes, std::size_t most) {
  if (bytes.size() > most) { return; }
  std::ofstream out(to, std::ios::binary);
  out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace

int main(int argc, char** argv) {
  if (const auto status = lowering::serveIfAsked(argc, argv)) { return *status; }
  const std::span<char*> arguments(argv, static_cast<std::size_t>(argc));
  const fs::path folder = arguments[1];
  fs::create_directories(folder / "programs");
  fs::create_directories(folder / "logs");
  for (const char* const text : arguments.subspan(2)) {
    int number = 0;
    for (const auto& [name, program] : fuzz::programsOf(text)) {
      const std::string file = fs::path(text).stem().string() + "_" + std::to_string(number++);
      write(folder / "programs" / file, store(program), kMostProgramBytes);
      try {
        write(folder / "logs" / file, fuzz::bytesOf(fuzz::loggedKernel(text, program)), kMostLogBytes);
      } catch (const std::exception& error) {  // what cannot be recorded, or launched like this
        std::fprintf(stderr, "%s: %s\n", name.c_str(), error.what());
      }
    }
  }
  return 0;
}
