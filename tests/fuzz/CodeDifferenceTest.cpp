#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include "CodeDifference.h"
#include "KernelPrograms.h"
#include "ProgramMutator.h"
#include "program/SourceLocation.h"
#include "program/WellFormed.h"

// Changed programs compute as machine code what they compute on the emulator, bit for bit.

namespace haloscope::fuzz {
namespace {

namespace fs = std::filesystem;

enum class Ended : std::uint8_t { Same, GaveUp, NotCompiled, Different };

const std::vector<KernelProgram>& seedPrograms() {
  static const std::vector<KernelProgram> kPrograms = [] {
    std::vector<KernelProgram> all;
    for (const fs::path& text : textsIn({"kernels/stencil", "kernels/convolution", "tests/kernels/lowering"})) {
      for (KernelProgram& one : programsOf(text)) {
        if (one.program.code.size() < 400) { all.push_back(std::move(one)); }
      }
    }
    return all;
  }();
  return kPrograms;
}

Ended executeBothWays(const Program& program, unsigned seed) {
  try {
    checkWellFormed(program);
    const Launch launch = launchOf(program, seed);
    const CodeDifference result = differenceOf(program, launch, 1 + seed % 2);
    if (!result.difference.empty()) {
      std::fprintf(stderr, "%s\n%s\n", print(program).c_str(), result.difference.c_str());
      return Ended::Different;
    }
    return result.finished ? Ended::Same : result.compiled ? Ended::GaveUp : Ended::NotCompiled;
  } catch (const InputError&) { return Ended::NotCompiled; }
}

Program changedProgram(unsigned seed) {
  const Program& program = seedPrograms()[seed * 7 % seedPrograms().size()].program;
  if (seed % 16 == 1) { return program; }
  const Program changed = mutatedProgram(program, seed);
  return seed % 8 == 0 ? joinedPrograms(changed, seedPrograms()[seed * 11 % seedPrograms().size()].program, seed)
                       : changed;
}

/// In a process of its own: code that was linked stays, and what is wrong with it may end the process.
int statusOf(unsigned seed) {
  const pid_t child = fork();
  if (child == 0) {
    try {
      _exit(static_cast<int>(executeBothWays(changedProgram(seed), seed)));
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
      _exit(99);
    }
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

/// HALOSCOPE_FUZZ_SECONDS, HALOSCOPE_FUZZ_SEED: how long to go on, and where to begin (app/cmake/fuzz.sh differences).
TEST(MachineCode, ChangedProgramsComputeWhatTheyDoOnTheEmulator) {
  const char* const seconds = std::getenv("HALOSCOPE_FUZZ_SECONDS");
  const char* const first = std::getenv("HALOSCOPE_FUZZ_SEED");
  const std::chrono::duration<double> patience(seconds != nullptr ? std::atof(seconds) : 6);
  ASSERT_FALSE(seedPrograms().empty());  // which takes its time
  const auto begin = std::chrono::steady_clock::now();
  std::size_t same = 0, others = 0;
  for (auto seed = static_cast<unsigned>(first != nullptr ? std::atoll(first) : 0);; ++seed) {
    const int status = statusOf(seed);
    SCOPED_TRACE(seedPrograms()[seed * 7 % seedPrograms().size()].name +
                 ", HALOSCOPE_FUZZ_SEED=" + std::to_string(seed));
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) < static_cast<int>(Ended::Different)) << status;
    (status == 0 ? same : others) += 1;
    if (std::chrono::steady_clock::now() - begin > patience) { break; }
  }
  std::printf("%zu programs computed the same, %zu were left to the emulator\n", same, others);
  EXPECT_GT(same, 5U);
}

}  // namespace
}  // namespace haloscope::fuzz
