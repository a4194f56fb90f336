#include <fmt/format.h>
#include <glad/gl.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "../start/TestedHaloscope.h"
#include "BenchWindow.h"
#include "actions/Choices.h"

namespace {

using namespace haloscope;
using Clock = std::chrono::steady_clock;

constexpr int kLimitSeconds = 30;

double millisecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

struct Switch {
  std::string from, to;
  double milliseconds = 0;
};

/// From the choice to the first whole picture of the chosen variant. What the window still works on of the variant
/// before, its checks for example, competes with it as it does for the user. Negative: no picture came.
double switchTo(App& app, const std::string& kernel) {
  AppState& state = app.state();
  const auto begin = Clock::now();
  auto last = begin;
  state.choice = withKernel(state, state.catalogue.at(kernel));
  do {
    const auto now = Clock::now();
    app.frame(std::chrono::duration<double>(now - last).count());
    glFinish();
    app.context().swap();
    last = now;
    const bool shown = state.experiment != nullptr && state.experiment->file.id == kernel;
    if (shown && !state.cursor.empty() && state.cursor.shared() == state.experiment->recording) {
      return millisecondsSince(begin);
    }
  } while (!state.problem && Clock::now() - begin < std::chrono::seconds(kLimitSeconds));
  return -1;
}

/// Every ordered pair of them once, so that each follows each other one, in an order that depends on nothing.
std::vector<std::pair<std::string, std::string>> pairsOf(const std::vector<KernelFile>& kernels) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const KernelFile& from : kernels) {
    for (const KernelFile& to : kernels) {
      if (from.id != to.id) { pairs.emplace_back(from.id, to.id); }
    }
  }
  std::ranges::shuffle(pairs, std::mt19937(7));
  return pairs;
}

void printLine(const char* what, std::vector<Switch> switches) {
  std::ranges::sort(switches, {}, &Switch::milliseconds);
  const Switch& longest = switches.back();
  fmt::print("{:<44}{:>6} switches: median {:6.1f} ms, p90 {:6.1f} ms, longest {:6.1f} ms ({} to {})\n", what,
             switches.size(), switches[switches.size() / 2].milliseconds,
             switches[switches.size() * 9 / 10].milliseconds, longest.milliseconds, longest.from, longest.to);
}

}  // namespace

/// How long the user waits for the picture of another variant, at 1280×720, without a display: from the choice to the
/// first whole frame with its scene.
///   bench_Switching [PAIRS: how many of the ordered pairs of variants; all of them when it is 0; 150]
int main(int argc, char** argv) {
  haloscope::useTestedHaloscope(argv[0]);
  const std::size_t wanted = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 150;
  App app(bench::windowOptions("stencil/tiled"), render::Context::offscreen(bench::offscreen(1280, 720)));
  app.settle();
  auto pairs = pairsOf(app.state().catalogue.kernels());
  if (wanted > 0 && wanted < pairs.size()) { pairs.resize(wanted); }
  std::vector<Switch> first, again;
  for (const auto& [from, to] : pairs) {
    const bool there = app.state().experiment != nullptr && app.state().experiment->file.id == from;
    if (!there && switchTo(app, from) < 0) { fmt::print("no picture of {}: {}\n", from, app.state().problem->message); }
    const bool seen = std::ranges::any_of(again, [&](const Switch& one) { return one.to == to; });
    const double time = switchTo(app, to);
    if (time < 0) {
      fmt::print("no picture of {}\n", to);
      return 1;
    }
    again.push_back({from, to, time});
    if (!seen) { first.push_back(again.back()); }
  }
  const long over = std::ranges::count_if(again, [](const Switch& one) { return one.milliseconds > 200; });
  fmt::print("OpenGL: {}\n", app.state().glRenderer);
  printLine("each variant's first", first);
  printLine("all", again);
  fmt::print("{} of {} took over 200 ms\n", over, again.size());
  std::vector<Switch> slowest = again;
  std::ranges::sort(slowest, [](const Switch& a, const Switch& b) { return a.milliseconds > b.milliseconds; });
  for (std::size_t i = 0; i < std::min<std::size_t>(slowest.size(), 5); ++i) {
    fmt::print("  {:6.1f} ms  {} to {}\n", slowest[i].milliseconds, slowest[i].from, slowest[i].to);
  }
  return 0;
}
