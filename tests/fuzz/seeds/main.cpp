#include <gtest/gtest.h>

#include <cstddef>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "../../kernels/BlockLogSupport.h"
#include "../KernelPrograms.h"
#include "../LoggedKernel.h"
#include "../SmallLaunch.h"
#include "program/StoredProgram.h"

// fuzz_seeds FOLDER TEXT…: writes what fuzz_program and fuzz_log begin with, of each kernel of the texts: the stored
// program into FOLDER/programs, what a block of it logs into FOLDER/logs.

namespace {

namespace fs = std::filesystem;
using namespace haloscope;

void write(const fs::path& to, std::span<const std::byte> bytes) {
  constexpr std::size_t kMostBytes = 128 << 10;
  if (bytes.size() > kMostBytes) { return; }
  std::ofstream out(to, std::ios::binary);
  out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

void writeLog(const fs::path& to, const fs::path& path, const Program& program) {
  std::ifstream in(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const Launch launch = fuzz::smallLaunch(program);
  test::Logged logged = test::runInstrumented(path.string(), text, {.defines = {}, .kernel = program.kernel}, program,
                                              launch, fuzz::kFirstBlock);
  write(to,
        fuzz::bytesOf({program, std::move(logged.text.program), std::move(logged.text.sites), std::move(logged.log)}));
}

}  // namespace

int main(int argc, char** argv) {
  const std::span<char*> arguments(argv, static_cast<std::size_t>(argc));
  const fs::path folder = arguments[1];
  fs::create_directories(folder / "programs");
  fs::create_directories(folder / "logs");
  for (const char* const text : arguments.subspan(2)) {
    int number = 0;
    for (const auto& [name, program] : fuzz::programsOf(text)) {
      const std::string file = fs::path(text).stem().string() + "_" + std::to_string(number++);
      write(folder / "programs" / file, store(program));
      try {
        writeLog(folder / "logs" / file, text, program);
      } catch (const std::exception& error) {  // what cannot be recorded, or launched like this
        std::fprintf(stderr, "%s: %s\n", name.c_str(), error.what());
      }
    }
  }
  return 0;
}
