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

#include "analysis/FaultChecks.h"
#include "frontend/Frontend.h"
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
  std::uint64_t warpInstructions = 0;
  for (std::size_t i = 0; i < program.code.size(); ++i) {
    if (program.code[i].op != Opcode::Statement) { warpInstructions += result.profile.warps[i]; }
  }
  std::printf("%-34s %8.2f ms  %8.2f M threads/s  %6.2f ns of a core per warp instruction  (%s)\n", what, seconds * 1e3,
              static_cast<double>(result.threads) / seconds / 1e6,
              processorSeconds * 1e9 / static_cast<double>(warpInstructions),
              result.outcome == simt::Outcome::Finished ? "finished" : result.message.c_str());
}

/// The best of several rounds under every analysis that looks for faults.
void measureFaults(const Program& program, const Launch& launch) {
  using Clock = std::chrono::steady_clock;
  constexpr int kRounds = 10;
  double seconds = 1e30;
  analysis::FaultReport report;
  analysis::FaultOptions options;
  options.undefined = {program.findObject("out")};
  options.output = program.findObject("out");
  options.expected.assign(static_cast<std::size_t>(launch.arrays[options.output].elementCount()), false);
  for (int round = 0; round < kRounds; ++round) {
    Launch fresh = launch;
    const auto start = Clock::now();
    report = analysis::findFaults(program, fresh, options);
    seconds = std::min(seconds, std::chrono::duration<double>(Clock::now() - start).count());
  }
  std::printf("%-34s %8.2f ms  %8.2f M threads/s  (%zu findings)\n", "all cores, faults looked for", seconds * 1e3,
              static_cast<double>(report.result.threads) / seconds / 1e6, report.findings.size());
}

/// Random enough data, and for scalars the size: fits kernels whose arrays are N³ or smaller and whose scalars are N.
Launch makeLaunch(const Program& program, std::int64_t size, std::uint32_t edge) {
  Launch launch;
  const auto outer = static_cast<std::uint32_t>((size + edge - 3) / (edge - 2));
  launch.configuration.grid = {outer, outer, outer};
  launch.configuration.block = {edge, edge, edge};
  for (const Parameter& parameter : program.parameters) {
    launch.arguments.push_back(parameter.object == kNone ? static_cast<std::uint64_t>(size) : 0);
  }
  for (const MemoryObject& object : program.objects) {
    ArrayData array;
    array.element = object.element;
    const bool wanted = object.space == MemorySpace::Global || object.space == MemorySpace::Constant;
    if (wanted) {
      array.extents = object.extentsAtLaunch ? std::vector<std::int64_t>{size, size, size} : object.extents;
      array.bytes.resize(static_cast<std::size_t>(array.elementCount() * sizeInMemory(array.element)));
    }
    launch.arrays.push_back(array);
  }
  return launch;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string path = argc > 1 ? argv[1] : HALOSCOPE_SOURCE_DIR "/kernels/stencil/tiled.cu";
  const std::int64_t size = argc > 2 ? std::atoll(argv[2]) : 64;
  const auto edge = static_cast<std::uint32_t>(argc > 3 ? std::atoi(argv[3]) : 8);
  const std::string edgeText = std::to_string(edge);
  const Program program =
      frontend::compile(path, readFile(path), {.defines = {{"IN_TILE_DIM", edgeText}}, .kernel = {}}).program;
  Launch launch = makeLaunch(program, size, edge);
  std::printf("%s, N = %lld, blocks of %u³ threads\n", path.c_str(), static_cast<long long>(size), edge);

  AccessSum accesses;
  InstructionSum instructions;
  measure("one core", program, launch, nullptr, {.workers = 1});
  measure("all cores", program, launch, nullptr, {});
  measure("one core, AVX2", program, launch, nullptr, {.workers = 1, .instructionSet = simt::InstructionSet::Avx2});
  measure("one core, any x86-64 machine", program, launch, nullptr,
          {.workers = 1, .instructionSet = simt::InstructionSet::Baseline});
  measure("all cores, accesses observed", program, launch, &accesses, {});
  measure("all cores, everything observed", program, launch, &instructions, {});
  measureFaults(program, launch);
  measure("all cores, in lockstep", program, launch, nullptr, {.schedule = simt::Schedule::Statement});
  return 0;
}
