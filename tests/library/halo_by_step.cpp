#include <haloscope/catalogue/Catalogue.h>
#include <haloscope/experiment/Experiment.h>
#include <haloscope/program/HaloscopeProgram.h>
#include <haloscope/program/ResourceFolder.h>
#include <haloscope/questions/Execution.h>
#include <haloscope/questions/Questions.h>
#include <haloscope/recording/BlockView.h>
#include <haloscope/recording/Cursor.h>
#include <algorithm>
#include <cstdio>
#include <exception>

/// Opens a kernel of the catalogue and executes it. At each step of one block that loads points: how many points the
/// block has loaded so far, and which share of them is halo. Then operations per byte, asked by name.
///   halo_by_step [KERNEL: stencil/tiled]
int main(int argc, char** argv) try {
  using namespace haloscope;
  useHaloscope(HALOSCOPE_PROGRAM);
  const Catalogue catalogue = Catalogue::read(resourceFolder("kernels", {}));
  const experiment::Choice choice{.kernel = argc > 1 ? argv[1] : "stencil/tiled"};
  const auto executed = experiment::run(catalogue, choice);

  std::ptrdiff_t before = 0;
  for (recording::Cursor cursor(executed->recording); cursor.position() < cursor.end();) {
    cursor.step(1);
    const recording::BlockView view = recording::viewBlock(cursor, executed->footprint, executed->carriers);
    const auto isLoaded = [&](const recording::PointView& point) { return point.step < cursor.position(); };
    const auto loaded = std::ranges::count_if(view.inputs, isLoaded);
    if (loaded == before) { continue; }
    before = loaded;
    const auto halo = std::ranges::count_if(view.inputs, [&](const recording::PointView& point) {
      return isLoaded(point) && point.role == recording::Role::Halo;
    });
    std::printf("step %zu: %td points, %.1f %% halo\n", cursor.position(), loaded,
                100 * static_cast<double>(halo) / static_cast<double>(loaded));
  }

  questions::Execution execution(executed->file, choice, {}, executed);
  for (const char* query : {"op_per_byte.block", "block.halo / block.inputs"}) {
    std::printf("%s: %s\n", query, questions::numberText(questions::answer(query, execution).number).c_str());
  }
  return 0;
} catch (const std::exception& problem) {
  std::fprintf(stderr, "%s\n", problem.what());
  return 1;
}
