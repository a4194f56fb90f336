#include <fmt/format.h>
#include <glad/gl.h>

#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "BenchWindow.h"
#include "actions/PlaygroundActions.h"
#include "lowering/ServeCompiler.h"
#include "state/Playground.h"

/// How often a second the playground shows a new picture, in a window without a display, drawn without a pause.
///   bench_Playground [PROBLEM SIZE [ENGINE]]     a size beyond the emulator's is made for the GPU
/// Without arguments: each problem at its own size, and on a GPU the blocks at 256³.
namespace {

using namespace haloscope;
using Clock = std::chrono::steady_clock;

constexpr int kWidth = 1920, kHeight = 1080;
constexpr double kSeconds = 5;
constexpr std::int64_t kEmulated = 96;  // points along each axis of a volume that the emulator executes beforehand

double secondsSince(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

void frame(App& app) {
  app.frame(1.0 / 60);
  glFinish();
  app.context().swap();
}

void play(App& app, const std::string& id, std::int64_t size, const std::string& engine) {
  AppState& state = app.state();
  startProblem(state, id);
  const bool volume = state.fieldControls.volume;
  choosePlaySize(state, volume ? std::min(size, kEmulated) : size);
  if (!engine.empty()) { chooseEngine(state, engine); }
  if (volume && size > kEmulated) { state.fieldControls.size = size; }
  state.playground.perSecond = 0;
  state.fieldControls.run = true;
  const Clock::time_point asked = Clock::now();
  // Compiled, executed, checked and filled.
  while ((state.computing || state.field.preparing || state.field.sweeps < 3 || state.checking) &&
         secondsSince(asked) < 120) {
    frame(app);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  if (!state.field.problem.empty()) {
    fmt::print("{}: {}\n", id, state.field.problem);
    return;
  }
  int frames = 0;
  int fresh = 0;
  const std::uint64_t before = state.field.sweeps;
  const Clock::time_point begin = Clock::now();
  while (secondsSince(begin) < kSeconds) {
    const std::uint64_t sweeps = state.field.sweeps;
    frame(app);
    ++frames;
    fresh += state.field.sweeps != sweeps ? 1 : 0;
  }
  const double seconds = secondsSince(begin);
  std::string extents;
  for (const std::int64_t extent : state.field.extents) {
    extents += fmt::format("{}{}", extents.empty() ? "" : "x", extent);
  }
  const char* const path = state.field.path == FieldPath::Interop    ? "interop"
                           : state.field.path == FieldPath::HostCopy ? "copied through the host"
                                                                     : "emulator";
  fmt::print("{:<28} {:<12} {:<28} {:>7.1f} frames/s, {:>7.1f} with a new field, {:>9.1f} sweeps/s  ({})\n", id,
             extents, state.choice.kernel, frames / seconds, fresh / seconds,
             static_cast<double>(state.field.sweeps - before) / seconds, path);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  if (const auto status = haloscope::lowering::serveIfAsked(argc, argv)) { return *status; }
  AppOptions options = bench::windowOptions("playground/heat_plate");
  options.state.view.tabs.enter(Workspace::Play);
  const render::OffscreenOptions offscreen = bench::offscreen(kWidth, kHeight);
  const bool gpu = offscreen.cudaDevice.has_value();
  App app(std::move(options), render::Context::offscreen(offscreen));
  app.settle();
  fmt::print("{} x {}, drawn by {}\n", kWidth, kHeight, app.state().glRenderer);
  if (argc > 2) {
    play(app, argv[1], std::atoll(argv[2]), argc > 3 ? argv[3] : "");
    return 0;
  }
  std::vector<std::string> ids;
  for (const KernelFile* problem : playgroundProblems(app.state().catalogue)) { ids.push_back(problem->id); }
  for (const std::string& id : ids) {
    play(app, id, app.state().catalogue.at(id).problem->size, "");
    if (gpu && app.state().fieldControls.volume) { play(app, id, 256, ""); }
  }
  for (const char* engine :
       {"stencil/basic", "stencil/tiled", "stencil/coarsened", "stencil/register_tiled", "beyond/3d_7_march"}) {
    play(app, "playground/heat_block", gpu ? 256 : 64, engine);
  }
}
