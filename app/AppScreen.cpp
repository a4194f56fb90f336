#include "AppScreen.h"

#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "App.h"
#include "checking/BarrierRepair.h"
#include "checking/LabVerdict.h"
#include "documents/Memory.h"
#include "driver/Device.h"
#include "field/FieldTiming.h"
#include "files/FileText.h"
#include "measuring/GpuGate.h"
#include "options/ExitCode.h"
#include "options/GpuOption.h"
#include "program/ResourceFolder.h"
#include "program/SourceLocation.h"
#include "render/Context.h"
#include "render/Image.h"
#include "running/LinkedFiles.h"
#include "running/ProgramRun.h"
#include "text/Print.h"

namespace haloscope {

namespace {

AppOptions appOptions(AppState state) {
  AppOptions options;
  if (state.program.allowed) { options.programs = {runOptions, running::runLinked}; }
  options.checker = [lab = state.bugLab](const experiment::Experiment& experiment, const std::stop_token& stop) {
    checking::CheckReport report = checking::checkInLab(lab, experiment, stop);
    checking::mendRace(report, experiment, stop);
    return report;
  };
  options.state = std::move(state);
  options.shaders = resourceFolder("shaders", HALOSCOPE_SOURCE_DIR);
  options.fonts.insert(options.fonts.begin(), resourceFolder("assets", HALOSCOPE_SOURCE_DIR) / "fonts");
  return options;
}

/// A context without a display, on the GPU that CUDA uses if there is one, so that the field is drawn from its memory.
render::OffscreenOptions offscreenOptions(int width, int height) {
  render::OffscreenOptions options{.width = width, .height = height};
  if (gpu::findDevice().device) { options.cudaDevice = 0; }
  return options;
}

using Use = std::function<void(App& window)>;

/// Uses a window with this state. Sets `onGpu` as soon as there is a context.
void useOnce(const AppState& state, const render::OffscreenOptions& offscreen, const Use& use, bool& onGpu) {
  auto context = render::Context::offscreen(offscreen);
  onGpu = !context->isSoftware();
  if (!context->rendererNote().empty()) {
    printText(stderr, "haloscope: warning: drawn by {}: {}\n", context->rendererName(), context->rendererNote());
  }
  App window(appOptions(state), std::move(context));
  use(window);
  // The picture says so, too; a script looks at the exit code.
  const AppState& drawn = window.state();
  if (state.gpuStepping.wanted && drawn.experiment->recording->source != recording::Recording::Source::Gpu) {
    throw MissingError(drawn.gpuStepping.problem);
  }
  if (state.hardware.wanted && !drawn.hardware.missing.empty()) { throw MissingError(drawn.hardware.missing); }
}

/// Uses a window of that size without a display.
void useOffscreen(const AppState& state, int width, int height, const Use& use) {
  render::OffscreenOptions offscreen = offscreenOptions(width, height);
  bool onGpu = false;
  try {
    try {
      useOnce(state, offscreen, use, onGpu);
    } catch (const render::ContextError& lost) {
      // The processor draws the same picture, where Mesa is.
      if (!onGpu) { throw; }
      offscreen.software = true;
      printText(stderr, "haloscope: warning: {}; drawing with the processor\n", lost.what());
      useOnce(state, offscreen, use, onGpu);
    }
  } catch (const render::ContextError& error) {
    throw MissingError(error.what());
  } catch (const render::ImageError& error) { throw InputError(error.what()); }
}

}  // namespace

void AppScreen::show(AppState state, const WindowOptions& options) {
  AppOptions app = appOptions(std::move(state));
  try {
    std::unique_ptr<render::Context> context;
    if (options.offscreen) {
      context = render::Context::offscreen(offscreenOptions(1280, 720));
    } else {
      app.memory = settingsFolder();
      if (!app.memory.empty()) { app.settings = app.memory / "window.ini"; }
      render::WindowContextOptions window;
      window.verticalSync = !options.uncapped;
      context = render::Context::window(window);
    }
    App(std::move(app), std::move(context)).run(options);
  } catch (const render::ContextError& error) { throw MissingError(error.what()); }
}

void AppScreen::draw(const AppState& state, const PictureOptions& options) {
  useOffscreen(state, options.width, options.height, [&](App& window) {
    const std::string problem = replaceWhole(options.output, window.picture(options).png());
    if (!problem.empty()) { throw InputError(problem); }
  });
}

bool AppScreen::exportPanel(const AppState& state, const PictureOptions& options, const ExportPlan& plan,
                            const ExportReport& report, const std::stop_token& stop) {
  bool written = false;
  useOffscreen(state, options.width, options.height, [&](App& window) {
    window.exportPanel(options, plan, report, stop);
    const Exporting& exported = window.state().exporting;
    written = !exported.written.empty();
    if (!exported.note.empty()) { printText(stderr, "haloscope: note: {}\n", exported.note); }
  });
  return written;
}

PlayedField AppScreen::play(const FieldToPlay& field) {
  field::FieldRequest request{.experiment = field.experiment,
                              .sameInput = field.sameInput,
                              .size = field.size,
                              .device = field.device,
                              .gate = measuring::askingOwnGate()};
  try {
    return field::playField(request, field.sweeps);
  } catch (const gpu::Error& failed) { throw InputError(failed.what()); }
}

}  // namespace haloscope
