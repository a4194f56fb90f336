// How long the words of a block that recorded itself take to read. The emulator runs the instrumented text here, so
// that no GPU is needed; what is read is what a GPU would have written. On the calling machine's cores.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <vector>

#include "../kernels/BlockLogSupport.h"
#include "catalogue/Catalogue.h"
#include "experiment/Experiment.h"
#include "experiment/InputData.h"
#include "lowering/ServeCompiler.h"
#include "recording/LogReader.h"

int main(int argc, char** argv) {
  if (const auto status = haloscope::lowering::serveIfAsked(argc, argv)) { return *status; }
  using namespace haloscope;
  const Catalogue catalogue = Catalogue::read(std::filesystem::path(HALOSCOPE_SOURCE_DIR) / "kernels");
  for (const char* id : {"stencil/register_tiled", "stencil/coarsened"}) {
    const KernelFile& file = catalogue.at(id);
    const Bindings bindings = file.bind({{"IN_TILE_DIM", 32}, {"N", 128}});
    const frontend::CompileOptions options{.defines = file.defines(bindings), .kernel = {}};
    const auto program = std::make_shared<const Program>(frontend::compile(file.path, file.text, options).program);
    const Launch launch = experiment::makeLaunch(file, bindings, *program, experiment::InputKind::Random);
    const Dim3 block{1, 1, 1};
    const test::Logged logged = test::runInstrumented(file.path, file.text, options, *program, launch, block);
    const recording::LoggedBlock described{program, &logged.text.program, &logged.text.sites, &launch,
                                           block,   &logged.log};
    std::vector<double> times;
    std::size_t accesses = 0, changes = 0;
    for (int run = 0; run < 11; ++run) {
      const auto begin = std::chrono::steady_clock::now();
      const auto read = recording::readLog(described);
      times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
      accesses = read->elements.size();
      changes = read->changes.size();
    }
    std::ranges::sort(times);
    fmt::print("{:<24} block of 32×32: {} accesses, {} changes read in {:.1f} ms (median of {}, {:.1f}…{:.1f})\n", id,
               accesses, changes, times[times.size() / 2], times.size(), times.front(), times.back());
  }
}
