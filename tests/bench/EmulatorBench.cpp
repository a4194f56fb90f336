// Prints how fast the emulator runs a kernel: threads a second, and nanoseconds for one instruction of a warp.
// usage: bench_EmulatorBench [kernel.cu] [N] [block edge]

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "catalogue/KernelFile.h"
#include "experiment/Experiment.h"
#include "experiment/InputData.h"
#include "faults/FaultChecks.h"
#include "lowering/ServeCompiler.h"
#include "simt/Executor.h"

namespace {

using namespace haloscope;

std::string readFile(const std::string& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

/// Hears of every access and does next to nothing with it: what it costs to be observed.
class AccessSum final : public simt::Observer {
 public:
  [[nodiscard]] Wants wants() const override { return {.accesses = true}; }
  [[nodiscard]] std::unique_ptr<Observer> fork() const override { return std::make_unique<AccessSum>(); }
  void join(Observer& worker) override { sum_ += static_cast<AccessSum&>(worker).sum_; }
  void access(const simt::WarpContext&, const simt::MemoryAccess& access) override { sum_ += access.lanes; }

 private:
  std::uint64_t sum_ = 0;
};

class InstructionSum final : public simt::Observer {
 public:
  [[nodiscard]] Wants wants() const override { return {.statements = true, .instructions = true, .accesses = true}; }
  [[nodiscard]] std::unique_ptr<Observer> fork() const override { return std::make_unique<InstructionSum>(); }
  void join(Observer& worker) override { sum_ += static_cast<InstructionSum&>(worker).sum_; }
  void instruction(const simt::WarpContext& context, std::uint32_t) override { sum_ += context.active; }

 private:
  std::uint64_t sum_ = 0;
};

void print(const char* what, const Program& program, const simt::ExecuteResult& result, double seconds,
           double processorSeconds) {
  std::uint64_t warpInstructions = 0;
  for (std::size_t i = 0; i < program.code.size(); ++i) {
    if (program.code[i].op != Opcode::Statement) { warpInstructions += result.profile.warps[i]; }
  }
  std::printf("%-34s %8.2f ms  %8.2f M threads/s  %6.2f ns of a core per warp instruction  (%s)\n", what, seconds * 1e3,
              static_cast<double>(result.threads) / seconds / 1e6,
              processorSeconds * 1e9 / static_cast<double>(warpInstructions),
              result.outcome == simt::Outcome::Finished ? "finished" : result.message.c_str());
}

/// The best of several rounds. Threads a second by the clock on the wall; nanoseconds by processor time, summed over
/// the workers, which does not suffer when others use the machine.
void measure(const char* what, const Program& program, Launch& launch, simt::Observer* observer,
             const simt::ExecuteOptions& options) {
  using Clock = std::chrono::steady_clock;
  constexpr int kRounds = 10;
  std::vector<simt::Observer*> observers;
  if (observer != nullptr) { observers.push_back(observer); }
  double seconds = 1e30;
  double processorSeconds = 1e30;
  simt::ExecuteResult result;
  for (int round = 0; round < kRounds; ++round) {
    const auto start = Clock::now();
    const std::clock_t processorStart = std::clock();
    result = simt::execute(program, launch, observers, options);
    const std::clock_t processorTime = std::clock() - processorStart;
    processorSeconds = std::min(processorSeconds, static_cast<double>(processorTime) / CLOCKS_PER_SEC);
    seconds = std::min(seconds, std::chrono::duration<double>(Clock::now() - start).count());
  }
  print(what, program, result, seconds, processorSeconds);
}

/// The best of several rounds under every analysis that looks for faults.
void measureFaults(const KernelFile& file, const Program& program, const Launch& launch) {
  using Clock = std::chrono::steady_clock;
  constexpr int kRounds = 10;
  double seconds = 1e30;
  double processorSeconds = 1e30;
  faults::FaultReport report;
  faults::FaultOptions options;
  options.output = program.findObject(file.computes->output);
  options.undefined = {options.output};
  options.expected.assign(static_cast<std::size_t>(launch.arrays[options.output].elementCount()), false);
  for (int round = 0; round < kRounds; ++round) {
    Launch fresh = launch;
    const auto start = Clock::now();
    const std::clock_t processorStart = std::clock();
    report = faults::findFaults(program, fresh, options);
    const std::clock_t processorTime = std::clock() - processorStart;
    processorSeconds = std::min(processorSeconds, static_cast<double>(processorTime) / CLOCKS_PER_SEC);
    seconds = std::min(seconds, std::chrono::duration<double>(Clock::now() - start).count());
  }
  print("all cores, faults looked for", program, report.result, seconds, processorSeconds);
}

/// The file's defaults with all sizes `size`, and the edges of its blocks or tiles `edge`.
Bindings bindingsOf(const KernelFile& file, std::int64_t size, std::int64_t edge) {
  Bindings bindings = file.defaults();
  for (const SizeParameter& parameter : file.sizes) { bindings[parameter.name] = size; }
  for (const Tunable& tunable : file.tunables) {
    const bool isEdge = tunable.name.find("TILE") != std::string::npos || tunable.name.find("BLOCK") == 0;
    if (isEdge) { bindings[tunable.name] = std::clamp(edge, tunable.minimum, tunable.maximum); }
  }
  return file.bind(bindings);
}

}  // namespace

int main(int argc, char** argv) {
  if (const auto status = haloscope::lowering::serveIfAsked(argc, argv)) { return *status; }
  const std::string path = argc > 1 ? argv[1] : HALOSCOPE_SOURCE_DIR "/kernels/stencil/tiled.cu";
  const std::int64_t size = argc > 2 ? std::atoll(argv[2]) : 64;
  const std::int64_t edge = argc > 3 ? std::atoll(argv[3]) : 8;
  const KernelFile file = KernelFile::parse("bench", path, readFile(path));
  const Bindings bindings = bindingsOf(file, size, edge);
  const Program program = experiment::compile(file, bindings);
  Launch launch = experiment::makeLaunch(file, bindings, program, experiment::InputKind::Random);
  const Dim3 block = launch.configuration.block;
  std::printf("%s, N = %lld, blocks of %u×%u×%u threads\n", path.c_str(), static_cast<long long>(size), block.x,
              block.y, block.z);

  AccessSum accesses;
  InstructionSum instructions;
  measure("one core", program, launch, nullptr, {.workers = 1});
  measure("all cores", program, launch, nullptr, {});
  measure("one core, AVX2", program, launch, nullptr, {.workers = 1, .instructionSet = simt::InstructionSet::Avx2});
  measure("one core, any x86-64 machine", program, launch, nullptr,
          {.workers = 1, .instructionSet = simt::InstructionSet::Baseline});
  measure("all cores, accesses observed", program, launch, &accesses, {});
  measure("all cores, everything observed", program, launch, &instructions, {});
  measureFaults(file, program, launch);
  measure("all cores, in lockstep", program, launch, nullptr, {.schedule = simt::Schedule::Statement});
  return 0;
}
