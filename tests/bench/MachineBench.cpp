// Prints how fast kernels run as machine code, beside the emulator, and whether they agree; and beside the sweep of a
// 7-point stencil as a C++ programmer writes it, compiled for this processor.
// usage: bench_MachineBench [ID [NAME=VALUE…]] [--asm | --one]
//   --one: one worker and machine code alone, the best of many rounds, to compare versions on a machine that is in use

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "catalogue/Catalogue.h"
#include "codegen/BlockCode.h"
#include "codegen/Carried.h"
#include "codegen/Groups.h"
#include "experiment/Experiment.h"
#include "experiment/InputData.h"
#include "lowering/ServeCompiler.h"
#include "machine/Execution.h"
#include "machine/KernelShape.h"
#include "simt/Executor.h"
#include "simt/LaunchMemory.h"

namespace {

using namespace haloscope;
using Clock = std::chrono::steady_clock;

double milliseconds(Clock::time_point since) {
  return std::chrono::duration<double, std::milli>(Clock::now() - since).count();
}

constexpr int kNativeRounds = 20;

/// A 7-point sweep of N³ floats by some cores, planes divided among them: the best of several, in milliseconds.
double nativeSweep(std::size_t n, std::size_t cores) {
  std::vector<float> in(n * n * n, 1.5F), out(n * n * n);
  const float c[] = {0.5F, 0.1F, 0.2F, 0.05F, 0.07F, 0.03F, 0.05F};
  const auto planes = [&](std::size_t begin, std::size_t end) {
    const float* const from = in.data();
    float* const to = out.data();
    for (std::size_t i = std::max<std::size_t>(begin, 1); i < std::min(end, n - 1); ++i) {
      for (std::size_t j = 1; j + 1 < n; ++j) {
        const std::size_t row = (i * n + j) * n;
        for (std::size_t k = row + 1; k < row + n - 1; ++k) {
          to[k] = c[0] * from[k] + c[1] * from[k - 1] + c[2] * from[k + 1] + c[3] * from[k - n] + c[4] * from[k + n] +
                  c[5] * from[k - n * n] + c[6] * from[k + n * n];
        }
      }
    }
  };
  double best = 1e30;
  for (int round = 0; round < kNativeRounds; ++round) {
    const auto begin = Clock::now();
    std::vector<std::jthread> threads;
    for (std::size_t core = 1; core < cores; ++core) {
      threads.emplace_back([&, core] { planes(core * n / cores, (core + 1) * n / cores); });
    }
    planes(0, n / cores);
    threads.clear();
    best = std::min(best, milliseconds(begin));
  }
  return best;
}

enum class What : std::uint8_t { Compare, Print, One };

/// By machine code in this process.
double executedOnce(const codegen::BlockCode& code, const codegen::CodeLaunch& how, codegen::CodeOutcome& outcome) {
  const auto begin = Clock::now();
  outcome = code.execute(how);
  return milliseconds(begin);
}

void run(const KernelFile& file, const Bindings& bindings, What what) {
  const Program program = experiment::compile(file, bindings);
  const Launch launch = experiment::makeLaunch(file, bindings, program, experiment::InputKind::Random);
  const machine::KernelShape shape = machine::shapeOf(program, launch);
  const std::string why = codegen::notCarried(program, shape);
  if (!why.empty()) {
    std::printf("%-40s not carried: %s\n", file.id.c_str(), why.c_str());
    return;
  }
  if (what == What::Print) {
    std::printf("%s\n", codegen::printKernel(program, shape, simt::bestInstructionSet()).c_str());
    return;
  }
  const auto compiling = Clock::now();
  const codegen::BlockCode code(program, shape, simt::bestInstructionSet());
  const double compileMs = milliseconds(compiling);
  Launch compiled = launch;
  const simt::LaunchMemory memory(program, compiled);
  codegen::CodeLaunch how{.arrays = {}, .workers = std::thread::hardware_concurrency(), .blockBudget = 50'000'000};
  for (const simt::ObjectView& view : memory.objects()) { how.arrays.push_back(view.data); }
  codegen::CodeOutcome outcome{};
  double slow = 1e30, fast = 1e30;
  if (what == What::One) {
    how.workers = 1;
    constexpr int kManyRounds = 60;
    for (int i = 0; i < kManyRounds; ++i) { fast = std::min(fast, executedOnce(code, how, outcome)); }
    std::printf("%-40s compile %6.1f ms  machine %8.3f ms  %s\n", file.id.c_str(), compileMs, fast,
                codegen::warpsTogether(program, shape) == 2 ? "two warps together" : "");
    return;
  }
  constexpr int kRounds = 5;
  Launch interpreted = launch;
  for (int i = 0; i < kRounds; ++i) {
    const auto begin = Clock::now();
    static_cast<void>(simt::execute(program, interpreted));
    slow = std::min(slow, milliseconds(begin));
  }
  for (int i = 0; i < kRounds; ++i) { fast = std::min(fast, executedOnce(code, how, outcome)); }
  machine::setPolicy(machine::Policy::Machine);
  Launch confined = launch;
  static_cast<void>(machine::execute(program, confined));
  double there = 1e30, sweeps = 1e30;
  for (int i = 0; i < kRounds; ++i) {
    const auto begin = Clock::now();
    static_cast<void>(machine::execute(program, confined));
    there = std::min(there, milliseconds(begin));
  }
  {
    const auto begin = Clock::now();
    static_cast<void>(machine::execute(program, confined, {}, {.sweeps = 16}));
    sweeps = milliseconds(begin) / 16;
  }
  for (std::size_t i = 0; i < program.objects.size(); ++i) {
    if (confined.arrays[i].bytes != interpreted.arrays[i].bytes) { std::printf("confined DIFFERS "); }
  }
  std::printf("confined %7.3f ms, one of 16 sweeps %7.3f ms %s\n", there, sweeps,
              machine::whyEmulated(program, confined).c_str());
  std::size_t different = 0, first = 0;
  std::string where;
  for (std::size_t i = 0; i < program.objects.size(); ++i) {
    const auto& a = interpreted.arrays[i].bytes;
    const auto& b = compiled.arrays[i].bytes;
    for (std::size_t at = 0; at < a.size(); at += 4) {
      if (std::memcmp(&a[at], &b[at], std::min<std::size_t>(4, a.size() - at)) == 0) { continue; }
      if (different == 0) {
        first = at / 4;
        where = program.objects[i].name;
      }
      ++different;
    }
  }
  std::printf("%-40s compile %6.1f ms  emulator %8.3f ms  machine %8.3f ms  %5.1f times  %s\n", file.id.c_str(),
              compileMs, slow, fast, slow / fast,
              outcome != codegen::CodeOutcome::Finished ? "GIVEN UP"
              : different == 0
                  ? "same"
                  : ("DIFFERENT " + where + " " + std::to_string(first) + " of " + std::to_string(different)).c_str());
}

}  // namespace

int main(int argc, char** argv) {
  if (const auto status = haloscope::lowering::serveIfAsked(argc, argv)) { return *status; }
  const Catalogue catalogue = Catalogue::read(HALOSCOPE_SOURCE_DIR "/kernels");
  std::string id;
  What what = What::Compare;
  std::vector<std::pair<std::string, std::int64_t>> given;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const std::size_t equals = word.find('=');
    if (word == "--asm") {
      what = What::Print;
    } else if (word == "--one") {
      what = What::One;
    } else if (equals != std::string::npos) {
      given.emplace_back(word.substr(0, equals), std::atoll(word.c_str() + equals + 1));
    } else {
      id = word;
    }
  }
  const std::size_t cores = what == What::One ? 1 : std::max(1U, std::thread::hardware_concurrency());
  for (const std::size_t n : {std::size_t{64}, std::size_t{128}}) {
    std::printf("native C++, 7 points, N = %zu: %.3f ms\n", n, nativeSweep(n, cores));
  }
  for (const KernelFile& file : catalogue.kernels()) {
    if (!id.empty() && file.id.find(id) == std::string::npos) { continue; }
    Bindings bindings = file.defaults();
    for (const auto& [name, value] : given) { bindings[name] = value; }
    try {
      run(file, file.bind(bindings), what);
    } catch (const std::exception& problem) { std::printf("%-40s %s\n", file.id.c_str(), problem.what()); }
    std::fflush(stdout);
  }
  return 0;
}
