#include <fmt/format.h>
#include <glad/gl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "BenchWindow.h"
#include "actions/StartPageActions.h"
#include "commands/StartingState.h"
#include "language/Language.h"
#include "lowering/ServeCompiler.h"
#include "state/StartPage.h"

namespace {

using namespace haloscope;
using Clock = std::chrono::steady_clock;

constexpr int kStarts = 9;

/// What the program does up to its first frame, in a process of its own; ends as soon as that is drawn.
int startOnce(const std::string& code) {
  const std::filesystem::path assets =
      std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path() / "assets";  // of the build
  setLanguageFolder(assets / "languages");
  setLanguage(code == "zh" ? Language::Chinese : Language::English);
  AppOptions options = bench::windowOptions(kStartPicture);
  options.fonts = {assets / "fonts"};
  options.state.view.language = language();
  addResources(options.state, options.state.catalogue);
  showStartPage(options.state);
  App app(std::move(options), render::Context::offscreen(bench::offscreen(1280, 720)));
  app.frame(0);
  glFinish();
  app.context().swap();
  std::_Exit(0);
}

/// Starts this program again for one frame and waits for its end.
bool startedWell(std::string code) {
  std::string self = "/proc/self/exe";
  char* arguments[] = {self.data(), code.data(), nullptr};
  pid_t child = 0;
  int status = 0;
  return posix_spawn(&child, self.c_str(), nullptr, nullptr, arguments, environ) == 0 &&
         waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

/// From the start of a process to the first whole frame of the start page, at 1280×720, without a display, in both
/// languages. Both fonts are loaded in both.
///   bench_FirstFrame
int main(int argc, char** argv) {
  if (const auto status = haloscope::lowering::serveIfAsked(argc, argv)) { return *status; }
  if (argc > 1) { return startOnce(argv[1]); }
  for (const std::string code : {"en", "zh"}) {
    std::vector<double> times;
    for (int i = 0; i < kStarts; ++i) {
      const auto begin = Clock::now();
      if (!startedWell(code)) {
        fmt::print("no frame\n");
        return 1;
      }
      times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
    }
    std::ranges::sort(times);
    fmt::print("{} start page, process to first frame: median {:6.1f} ms, longest {:6.1f} ms of {}\n", code,
               times[times.size() / 2], times.back(), times.size());
  }
  return 0;
}
