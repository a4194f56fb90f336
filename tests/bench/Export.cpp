// How long the export of 200 steps as a GIF takes, as the command and the window write it, with Mesa's software OpenGL.
// Usage: bench_Export [KERNEL [PANEL]]

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <utility>

#include "App.h"
#include "BenchWindow.h"

int main(int argc, char** argv) {
  using haloscope::ExportPlan;
  namespace fs = std::filesystem;
  const std::string kernel = argc > 1 ? argv[1] : "stencil/coarsened";
  haloscope::AppOptions options = haloscope::bench::windowOptions(kernel);
  options.gpu = false;
  options.state.choice.bindings["IN_TILE_DIM"] = 24;
  haloscope::render::OffscreenOptions offscreen;
  offscreen.software = true;
  haloscope::App app(std::move(options), haloscope::render::Context::offscreen(offscreen));
  app.settle();
  ExportPlan plan;
  plan.panel = haloscope::tabNamed(argc > 2 ? argv[2] : "Block");
  plan.format = haloscope::ExportFormat::Gif;
  plan.output = fs::temp_directory_path() / fmt::format("haloscope-bench-{}.gif", ::getpid());
  const std::size_t end = app.state().cursor.end();
  plan.steps = haloscope::ExportSteps{0, std::min<std::size_t>(199, end), 1};
  const auto begin = std::chrono::steady_clock::now();
  app.exportPanel({}, plan, [](std::size_t, std::size_t) {}, {});
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  fmt::print("{} {}: {} pictures of {}×{} in {:.1f} s, {:.1f} MB\n", kernel, nameOf(plan.panel), plan.steps->last + 1,
             plan.width, plan.height, seconds.count(), static_cast<double>(fs::file_size(plan.output)) / 1e6);
  fs::remove(plan.output);
}
