// Runs the 7-point sweep, basic and tiled, on Haloscope's emulator and on Oclgrind (Debian's `oclgrind`), one after the
// other on the same cores, with checks and without, and prints threads a second without start-up, and their ratio.
// usage: bench_AgainstOclgrind [N] [IN_TILE_DIM]

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "catalogue/KernelFile.h"
#include "experiment/Experiment.h"
#include "experiment/InputData.h"
#include "faults/FaultChecks.h"
#include "lowering/ServeCompiler.h"
#include "simt/Executor.h"

namespace {

using namespace haloscope;
namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// The kernel of the catalogue at a size and a tile, ready to be launched.
struct Kernel {
  Kernel(const std::string& name, std::int64_t size, std::int64_t tile) {
    const std::string path = std::string(HALOSCOPE_SOURCE_DIR) + "/kernels/stencil/" + name + ".cu";
    std::ifstream in(path);
    std::stringstream text;
    text << in.rdbuf();
    const KernelFile file = KernelFile::parse("stencil/" + name, path, text.str());
    Bindings chosen{{"N", size}};
    if (file.findTunable("IN_TILE_DIM") != nullptr) { chosen["IN_TILE_DIM"] = tile; }
    const Bindings bindings = file.bind(chosen);
    program = experiment::compile(file, bindings);
    launch = experiment::makeLaunch(file, bindings, program, experiment::InputKind::Random);
    const auto inside = [&](std::int64_t at) { return at > 0 && at < size - 1; };
    for (std::int64_t i = 0; i < size * size * size; ++i) {
      expected.push_back(inside(i / (size * size)) && inside(i / size % size) && inside(i % size));
    }
  }
  Program program;
  Launch launch;
  std::vector<bool> expected;  ///< points that the sweep has to write: all but the border
};

/// The best of several rounds, in seconds. Every round starts from the same arrays.
double haloscopeSeconds(const Kernel& kernel, bool checks) {
  constexpr int kRounds = 5;
  double best = 1e30;
  for (int round = 0; round < kRounds; ++round) {
    Launch launch = kernel.launch;
    const auto start = Clock::now();
    if (checks) {
      const ObjectId output = kernel.program.findObject("out");
      if (!faults::findFaults(kernel.program, launch, {.output = output, .expected = kernel.expected})
               .findings.empty()) {
        std::printf("unexpected finding\n");
      }
    } else {
      simt::execute(kernel.program, launch);
    }
    best = std::min(best, secondsSince(start));
  }
  return best;
}

/// Writes what oclgrind-kernel reads: kernel, sizes and arguments. `blocks` along each axis.
void writeSimulation(const fs::path& file, const std::string& kernel, std::int64_t size, std::int64_t edge,
                     std::int64_t blocks) {
  std::ofstream out(file);
  const std::int64_t threads = blocks * edge;
  const std::int64_t bytes = size * size * size * 4;
  out << HALOSCOPE_SOURCE_DIR "/tests/bench/oclgrind/stencil.cl\n" << kernel << '\n';
  out << threads << ' ' << threads << ' ' << threads << '\n' << edge << ' ' << edge << ' ' << edge << "\n\n";
  out << "<size=" << bytes << " float fill=0.5>\n<size=" << bytes << " float fill=0>\n";
  out << "<size=28 float range=1:1:7>\n<size=4 int>\n" << size << '\n';
}

/// Seconds of one run of the whole program; negative if it fails.
double oclgrindSeconds(const fs::path& simulation, std::int64_t tile, bool checks) {
  std::ostringstream command;
  command << "oclgrind-kernel --num-threads " << std::max(1U, std::thread::hardware_concurrency())
          << (checks ? " --data-races --uninitialized" : "") << " --build-options -DIN_TILE_DIM=" << tile << ' '
          << simulation.string();
  const auto start = Clock::now();
  const int status = std::system(command.str().c_str());
  return status == 0 ? secondsSince(start) : -1;
}

}  // namespace

int main(int argc, char** argv) {
  if (const auto status = haloscope::lowering::serveIfAsked(argc, argv)) { return *status; }
  const std::int64_t size = argc > 1 ? std::atoll(argv[1]) : 96;
  const std::int64_t tile = argc > 2 ? std::atoll(argv[2]) : 8;
  if (std::system("oclgrind-kernel --version > /dev/null 2>&1") != 0) {
    std::printf("oclgrind-kernel is missing: apt-get install oclgrind\n");
    return 0;
  }
  const fs::path folder = fs::temp_directory_path() / "haloscope-oclgrind";
  fs::create_directories(folder);
  std::printf("7-point sweep, float, N = %lld, %u cores; million threads a second, start-up taken off\n",
              static_cast<long long>(size), std::thread::hardware_concurrency());
  std::printf("%-8s %-34s %12s %12s %8s\n", "kernel", "checks", "Haloscope", "Oclgrind", "ratio");
  for (const char* name : {"basic", "tiled"}) {
    const Kernel kernel(name, size, tile);
    const LaunchConfiguration& configuration = kernel.launch.configuration;
    const auto threads = static_cast<double>(configuration.grid.count() * configuration.block.count());
    // The twin has cubes for blocks; the catalogue's basic kernel has rows. What counts is threads a second.
    const std::int64_t blocks = std::string(name) == "tiled" ? configuration.grid.x : (size + tile - 1) / tile;
    const double twins = static_cast<double>(blocks * blocks * blocks * tile * tile * tile);
    writeSimulation(folder / "whole.sim", name, size, tile, blocks);
    writeSimulation(folder / "start.sim", name, tile, tile, 1);
    for (const bool checks : {false, true}) {
      const double own = haloscopeSeconds(kernel, checks);
      const double startUp = oclgrindSeconds(folder / "start.sim", tile, checks);
      const double whole = oclgrindSeconds(folder / "whole.sim", tile, checks);
      if (startUp < 0 || whole < 0) {
        std::printf("oclgrind-kernel failed\n");
        return 1;
      }
      const double ours = threads / own / 1e6;
      const double theirs = twins / (whole - startUp) / 1e6;
      std::printf("%-8s %-34s %12.2f %12.4f %7.0f×\n", name, checks ? "races, uninitialised, bounds" : "none", ours,
                  theirs, ours / theirs);
      std::fflush(stdout);
    }
  }
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  return 0;
}
