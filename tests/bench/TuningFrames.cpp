#include <fmt/format.h>
#include <glad/gl.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

#include "../start/TestedHaloscope.h"
#include "BenchWindow.h"

/// How long the window's frames take while a tuning map is being filled, drawn without a pause and without a display.
///   bench_TuningFrames [ID] [SIZE] [field: sweeps run too]
int main(int argc, char** argv) {
  haloscope::useTestedHaloscope(argv[0]);
  using namespace haloscope;
  using Clock = std::chrono::steady_clock;
  const auto since = [](Clock::time_point begin) {
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
  };
  AppOptions options = bench::windowOptions(argc > 1 ? argv[1] : "stencil/tiled");
  options.checker = {};
  const render::OffscreenOptions offscreen = bench::offscreen(1920, 1080);
  const bool there = offscreen.cudaDevice.has_value();
  App app(std::move(options), render::Context::offscreen(offscreen));
  app.settle();
  AppState& state = app.state();
  state.tuning.size = argc > 2 ? std::atoi(argv[2]) : 0;
  state.fieldControls.run = argc > 3;
  state.view.tabs.bringToFront(Tab::Tuning);

  std::vector<double> frames;
  const Clock::time_point asked = Clock::now();
  double toMap = 0;
  double toEnd = 0;
  bool begun = false;
  while (since(asked) < 60e3 && !(begun && !state.tuning.running)) {
    const Clock::time_point begin = Clock::now();
    app.frame(1.0 / 60);
    glFinish();
    app.context().swap();
    if (state.tuning.running) {
      begun = true;
      frames.push_back(since(begin));
    }
    if (toMap == 0 && state.tuning.map && state.tuning.map->filled) { toMap = since(asked); }
    toEnd = since(asked);
  }
  if (!state.tuning.map || frames.empty()) {
    std::printf("%d %s %s\n", state.experiment != nullptr, state.problem ? state.problem->message.c_str() : "",
                state.gpuMissing.c_str());
    fmt::print("no map was filled\n");
    return 1;
  }
  std::ranges::sort(frames);
  const auto over = std::ranges::count_if(frames, [](double frame) { return frame > 33; });
  fmt::print(
      "{}: {} cells at {} on {}{}; map after {:.0f} ms (filling {:.0f} ms), all sizes after {:.0f} ms; {} frames at "
      "{}x{}: "
      "median {:.2f} ms, p99 {:.2f} ms, longest {:.2f} ms, {} over 33 ms\n",
      state.tuning.map->kernel, state.tuning.map->cells.size(), state.tuning.map->size, state.tuning.map->gpu,
      state.tuning.map->timing ? "" : " (not timed)", toMap, state.tuning.map->seconds * 1e3, toEnd, frames.size(),
      offscreen.width, offscreen.height, frames[frames.size() / 2], frames[frames.size() * 99 / 100], frames.back(),
      over);
  if (!state.tuning.map->problem.empty()) { fmt::print("{}\n", state.tuning.map->problem); }
  return over > 0 && there ? 1 : 0;
}
