// How long the user waits: from a moved slider to an experiment, for the grid counts of the command line, and what a
// recording weighs. Everything on the calling machine's cores, without drawing; `haloscope --frames` measures frames.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <vector>

#include "catalogue/Catalogue.h"
#include "experiment/Experiment.h"
#include "lowering/ServeCompiler.h"

namespace {

using haloscope::Bindings;
using haloscope::Catalogue;
namespace experiment = haloscope::experiment;

/// Median of nine runs, in milliseconds, with the extremes.
void report(const std::string& what, const std::function<void()>& work) {
  constexpr int kRuns = 9;
  std::vector<double> times;
  for (int run = 0; run < kRuns; ++run) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
  }
  std::sort(times.begin(), times.end());
  fmt::print("{:<72}{:>9.1f} ms  ({:.1f}…{:.1f}, {} runs)\n", what, times[kRuns / 2], times.front(), times.back(),
             kRuns);
}

}  // namespace

int main(int argc, char** argv) {
  if (const auto status = haloscope::lowering::serveIfAsked(argc, argv)) { return *status; }
  const Catalogue catalogue = Catalogue::read(std::filesystem::path(HALOSCOPE_SOURCE_DIR) / "kernels");

  // Texts that were lowered before are known: a slider that is a macro makes another text.
  const auto lowered = [](haloscope::KernelFile file, const Bindings& bindings = {},
                          const experiment::RunOptions& options = {}) {
    return [=]() mutable {
      file.text += "\n";
      experiment::run(file, {file.id, bindings, std::nullopt}, options);
    };
  };
  for (const haloscope::KernelFile& file : catalogue.kernels()) {
    report("slider to experiment, defaults: " + file.id, lowered(file));
  }
  report("slider to experiment: stencil/coarsened IN_TILE_DIM=32 N=32",
         lowered(catalogue.at("stencil/coarsened"), {{"IN_TILE_DIM", 32}, {"N", 32}}));

  experiment::RunOptions countOnly;
  countOnly.record = false;
  countOnly.input = experiment::InputKind::Zero;
  report("count stencil/tiled -D IN_TILE_DIM=8 --size 64",
         lowered(catalogue.at("stencil/tiled"), {{"IN_TILE_DIM", 8}, {"N", 64}}, countOnly));

  for (const char* id : {"stencil/coarsened", "stencil/register_tiled"}) {
    const auto made = experiment::run(catalogue, {id, {{"IN_TILE_DIM", 32}, {"N", 96}}, std::nullopt});
    fmt::print("{:<72}{:>9.1f} MiB ({} steps, recorded in {:.1f} ms)\n",
               fmt::format("recording of one 32×32 block of {}", id),
               static_cast<double>(made->recording->byteCount()) / (1 << 20), made->recording->steps.size(),
               made->recordSeconds * 1e3);
  }
  return 0;
}
