#include <fmt/format.h>
#include <glad/gl.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "BenchWindow.h"
#include "actions/TypedCellActions.h"
#include "lowering/ServeCompiler.h"
#include "state/TypedCell.h"

namespace {

using namespace haloscope;
using Clock = std::chrono::steady_clock;

constexpr int kNumbers = 9;  // typed one after the other
constexpr double kLimit = 30'000;
constexpr double kPromised = 150;

double millisecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

/// From Enter to the first whole picture of the execution with the number. Negative: no picture came.
double typeNumber(App& app, double number) {
  AppState& state = app.state();
  const std::string array = choosableArrays(state).front().name;
  const ObjectId object = state.experiment->program->findObject(array);
  typeCell(state, object, state.experiment->launch->arrays[object].elementCount() / 2);
  state.typedCell.text = fmt::format("{}", number);
  const auto before = state.experiment;
  const auto begin = Clock::now();
  auto last = begin;
  if (!takeTyped(state)) { return -1; }
  do {
    const auto now = Clock::now();
    app.frame(std::chrono::duration<double>(now - last).count());
    glFinish();
    app.context().swap();
    last = now;
    if (state.experiment != before && !state.cursor.empty() && state.cursor.shared() == state.experiment->recording) {
      return millisecondsSince(begin);
    }
  } while (!state.problem && millisecondsSince(begin) < kLimit);
  return -1;
}

}  // namespace

/// How long the user waits for the picture after Enter in a cell, at 1280×720, without a display, for each variant of
/// the two chapters at its default size.
///   bench_TypedCell [PART of the variants' names; all of both chapters]
int main(int argc, char** argv) {
  if (const auto status = haloscope::lowering::serveIfAsked(argc, argv)) { return *status; }
  const std::string part = argc > 1 ? argv[1] : "";
  App app(bench::windowOptions("stencil/tiled"), render::Context::offscreen(bench::offscreen(1280, 720)));
  app.settle();
  struct Wait {
    std::string kernel;
    double median = 0, longest = 0;
  };
  std::vector<Wait> waits;
  for (const KernelFile& kernel : app.state().catalogue.kernels()) {
    if (kernel.id.starts_with("beyond/") || kernel.id.find(part) == std::string::npos) { continue; }
    app.state().choice = {kernel.id, {}, std::nullopt};
    app.settle();
    std::vector<double> times;
    for (int i = 0; i < kNumbers; ++i) {
      times.push_back(typeNumber(app, i + 0.5));
      app.settle();
    }
    if (std::ranges::min(times) < 0) {
      fmt::print("no picture of {}\n", kernel.id);
      return 1;
    }
    std::ranges::sort(times);
    waits.push_back({kernel.id, times[times.size() / 2], times.back()});
  }
  std::ranges::sort(waits, [](const Wait& a, const Wait& b) { return a.median > b.median; });
  fmt::print("OpenGL: {}\n", app.state().glRenderer);
  for (const Wait& wait : waits) {
    fmt::print("{:<34} Enter to picture: median {:6.1f} ms, longest {:6.1f} ms\n", wait.kernel, wait.median,
               wait.longest);
  }
  fmt::print("{} of {} variants took over {} ms\n",
             std::ranges::count_if(waits, [](const Wait& wait) { return wait.median > kPromised; }), waits.size(),
             kPromised);
  return 0;
}
