// How long the export of 200 steps as a GIF takes, as the command and the window write it, with Mesa's software OpenGL.
// With an ending, how long a frame of the window waits for a file of that kind at most, at twice its size.
// Usage: bench_Export [KERNEL|FILE.cu [PANEL [ENDING]]]

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string>
#include <utility>

#include "App.h"
#include "BenchWindow.h"
#include "PanelExporter.h"
#include "PanelStudio.h"
#include "actions/ExportActions.h"
#include "lowering/ServeCompiler.h"
#include "work/Pool.h"

namespace {

namespace fs = std::filesystem;
using haloscope::App;
using haloscope::ExportPlan;

double secondsSince(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void writeGif(App& app, ExportPlan plan, const std::string& kernel) {
  const std::size_t end = app.state().cursor.end();
  plan.steps = haloscope::ExportSteps{0, std::min<std::size_t>(199, end), 1};
  const auto begin = std::chrono::steady_clock::now();
  app.exportPanel({}, plan, [](std::size_t, std::size_t) {}, {});
  fmt::print("{} {}: {} pictures of {}×{} in {:.1f} s, {:.1f} MB\n", kernel, nameOf(plan.panel), plan.steps->last + 1,
             plan.width, plan.height, secondsSince(begin), static_cast<double>(fs::file_size(plan.output)) / 1e6);
}

/// What a frame waits for.
void measureParts(App& app, const ExportPlan& plan) {
  haloscope::PanelStudio studio(app.context(), haloscope::AppOptions().fonts, haloscope::bench::folder("shaders"));
  const auto milliseconds = [](const auto& part) {
    const auto begin = std::chrono::steady_clock::now();
    part();
    return secondsSince(begin) * 1e3;
  };
  const double drawn = milliseconds([&] { studio.draw(app.state(), plan, nullptr); });
  const bool svg = plan.format == haloscope::ExportFormat::Svg;
  const double made = milliseconds([&] {
    if (svg) {
      static_cast<void>(studio.svg(app.state(), plan));
    } else {
      static_cast<void>(studio.pixels());
    }
  });
  fmt::print("  drawn {:.0f} ms, {} {:.0f} ms\n", drawn, svg ? "its SVG made" : "its pixels read", made);
}

void writeBesideFrames(App& app, ExportPlan plan, const std::string& kernel) {
  plan.scale = 2;
  plan.width = 1920;
  plan.height = 1080;
  haloscope::AppState& state = app.state();
  state.cursor.goTo(state.cursor.end() / 2);
  haloscope::work::Pool pool;
  haloscope::PanelExporter exporter(app.context(), pool, haloscope::AppOptions().fonts,
                                    haloscope::bench::folder("shaders"));
  state.exporting.plan = plan;
  state.exporting.wanted = true;
  const auto begin = std::chrono::steady_clock::now();
  double longest = 0;
  do {
    const auto frame = std::chrono::steady_clock::now();
    exporter.update(state, nullptr);
    longest = std::max(longest, secondsSince(frame));
    exporter.wait({});
  } while (exporter.busy());
  fmt::print("{} {}: {}×{} times {} in {:.2f} s, of which a frame waits {:.0f} ms at most; {:.1f} MB {}\n", kernel,
             nameOf(plan.panel), plan.width, plan.height, plan.scale, secondsSince(begin), longest * 1e3,
             static_cast<double>(fs::file_size(plan.output)) / 1e6, state.exporting.problem);
  if (!plan.isTable()) { measureParts(app, plan); }
}

}  // namespace

int main(int argc, char** argv) {
  if (const auto status = haloscope::lowering::serveIfAsked(argc, argv)) { return *status; }
  const std::string kernel = argc > 1 ? argv[1] : "stencil/coarsened";
  const bool file = kernel.ends_with(".cu");
  haloscope::AppOptions options = haloscope::bench::windowOptions(file ? "stencil/coarsened" : kernel);
  options.gpu = false;
  if (file) {
    options.state.fileRequests.open = kernel;
  } else {
    options.state.choice.bindings["IN_TILE_DIM"] = argc > 3 ? 32 : 24;
  }
  haloscope::render::OffscreenOptions offscreen;
  offscreen.software = true;
  App app(std::move(options), haloscope::render::Context::offscreen(offscreen));
  app.settle();
  ExportPlan plan;
  plan.panel = haloscope::tabNamed(argc > 2 ? argv[2] : "Block");
  plan.output =
      fs::temp_directory_path() / fmt::format("haloscope-bench-{}.{}", ::getpid(), argc > 3 ? argv[3] : "gif");
  plan.format = haloscope::exportFormat(plan.output);
  if (plan.moves()) {
    writeGif(app, plan, kernel);
  } else {
    writeBesideFrames(app, plan, kernel);
  }
  fs::remove(plan.output);
}
