// How long the user waits for the picture of a saved text: another program writes the file on screen, the window
// sees that, executes the new text and draws it. Offscreen, with Mesa's software OpenGL, at 1280×720.

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "App.h"
#include "checking/Check.h"
#include "lowering/ServeCompiler.h"
#include "render/Context.h"

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr int kSaves = 15;

double millisecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

std::string read(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

void report(const std::string& what, std::vector<double> times) {
  std::ranges::sort(times);
  fmt::print("{:<72}{:>9.1f} ms  ({:.1f}…{:.1f}, {} saves)\n", what, times[times.size() / 2], times.front(),
             times.back(), times.size());
}

haloscope::AppOptions options(const fs::path& file) {
  const fs::path source = HALOSCOPE_SOURCE_DIR;
  haloscope::AppOptions options;
  options.state.catalogue = haloscope::Catalogue::read(source / "kernels");
  options.shaders = source / "shaders";
  options.state.choice.kernel = "stencil/tiled";
  options.gpu = false;
  options.state.fileRequests.text = haloscope::OpenedText{file, read(file)};
  options.checker = [](const haloscope::experiment::Experiment& experiment, const std::stop_token& stop) {
    return haloscope::checking::check(experiment, stop);
  };
  return options;
}

void measure(const fs::path& kernel, const fs::path& folder) {
  const fs::path file = folder / kernel.filename();
  const std::string text = read(kernel);
  std::ofstream(file) << text;
  haloscope::render::OffscreenOptions offscreen;
  offscreen.width = 1280;
  offscreen.height = 720;
  offscreen.software = true;
  haloscope::App app(options(file), haloscope::render::Context::offscreen(offscreen));
  app.settle();

  std::vector<double> picture, checked;
  for (int save = 0; save < kSaves; ++save) {
    const std::string changed = text + fmt::format("// {}\n", save);
    const auto begin = Clock::now();
    std::ofstream(file) << changed;
    auto last = begin;
    const auto frame = [&] {
      const auto now = Clock::now();
      app.frame(std::chrono::duration<double>(now - last).count());
      app.context().swap();
      last = now;
    };
    const auto shown = [&] {
      return app.state().experiment != nullptr && app.state().experiment->file.text == changed;
    };
    while (!shown() && millisecondsSince(begin) < 10'000) { frame(); }
    frame();  // the one that draws it
    picture.push_back(millisecondsSince(begin));
    while (app.state().checking && millisecondsSince(begin) < 10'000) { frame(); }
    checked.push_back(millisecondsSince(begin));
  }
  report("save to picture: " + file.filename().string(), std::move(picture));
  report("save to findings: " + file.filename().string(), std::move(checked));
}

}  // namespace

int main(int argc, char** argv) {
  if (const auto status = haloscope::lowering::serveIfAsked(argc, argv)) { return *status; }
  const fs::path source = HALOSCOPE_SOURCE_DIR;
  const fs::path folder = fs::temp_directory_path() / fmt::format("haloscope-bench-{}", getpid());
  fs::create_directories(folder);
  for (const char* kernel :
       {"kernels/stencil/basic.cu", "kernels/stencil/coarsened.cu", "kernels/convolution/cached_halo.cu",
        "tests/kernels/styles/whole_program_convolution.cu"}) {
    measure(source / kernel, folder);
  }
  fs::remove_all(folder);
  return 0;
}
