#include "AppScreen.h"

#include <cstdio>
#include <memory>
#include <utility>

#include "App.h"
#include "checking/LabVerdict.h"
#include "gpu/Device.h"
#include "options/ExitCode.h"
#include "options/RunDevice.h"
#include "program/ResourceFolder.h"
#include "render/Context.h"
#include "render/Image.h"
#include "running/ProgramRun.h"

namespace haloscope {

namespace {

AppOptions appOptions(AppState state) {
  AppOptions options;
  if (state.program.allowed) { options.programs = {runOptions, running::run}; }
  options.checker = [lab = state.bugLab](const experiment::Experiment& experiment, const std::stop_token& stop) {
    return checking::checkInLab(lab, experiment, stop);
  };
  options.state = std::move(state);
  options.shaders = resourceFolder("shaders", HALOSCOPE_SOURCE_DIR);
  options.fonts.insert(options.fonts.begin(), resourceFolder("assets", HALOSCOPE_SOURCE_DIR) / "fonts");
  return options;
}

/// A context without a display, on the GPU that CUDA uses if there is one, so that the field is drawn from its memory.
render::OffscreenOptions offscreenOptions(int width, int height) {
  render::OffscreenOptions options;
  options.width = width;
  options.height = height;
  if (gpu::findDevice().device) { options.cudaDevice = 0; }
  return options;
}

/// Draws the picture. Sets `onGpu` as soon as there is a context.
void drawOnce(const AppState& state, const PictureOptions& options, const render::OffscreenOptions& offscreen,
              bool& onGpu) {
  auto context = render::Context::offscreen(offscreen);
  onGpu = !context->isSoftware();
  if (!context->rendererNote().empty()) {
    std::fprintf(stderr, "haloscope: warning: drawn by %s: %s\n", context->rendererName().c_str(),
                 context->rendererNote().c_str());
  }
  App window(appOptions(state), std::move(context));
  window.picture(options).writePng(options.output);
  // The picture says so, too; a script looks at the exit code.
  const AppState& drawn = window.state();
  if (state.gpuStepping.wanted && drawn.experiment->recording->source != recording::Recording::Source::Gpu) {
    throw MissingError(drawn.gpuStepping.problem);
  }
  if (state.hardware.wanted && !drawn.hardware.missing.empty()) { throw MissingError(drawn.hardware.missing); }
}

}  // namespace

void AppScreen::show(AppState state, const WindowOptions& options) {
  AppOptions app = appOptions(std::move(state));
  try {
    std::unique_ptr<render::Context> context;
    if (options.offscreen) {
      context = render::Context::offscreen(offscreenOptions(1280, 720));
    } else {
      app.settings = settingsFile();
      app.memory = app.settings.parent_path();
      render::WindowContextOptions window;
      window.verticalSync = !options.uncapped;
      context = render::Context::window(window);
    }
    App(std::move(app), std::move(context)).run(options);
  } catch (const render::ContextError& error) { throw MissingError(error.what()); }
}

void AppScreen::draw(const AppState& state, const PictureOptions& options) {
  render::OffscreenOptions offscreen = offscreenOptions(options.width, options.height);
  bool onGpu = false;
  try {
    try {
      drawOnce(state, options, offscreen, onGpu);
    } catch (const render::ContextError& lost) {
      // The processor draws the same picture, where Mesa is.
      if (!onGpu) { throw; }
      offscreen.software = true;
      std::fprintf(stderr, "haloscope: warning: %s; drawing with the processor\n", lost.what());
      drawOnce(state, options, offscreen, onGpu);
    }
  } catch (const render::ContextError& error) {
    throw MissingError(error.what());
  } catch (const render::ImageError& error) { throw InputError(error.what()); }
}

}  // namespace haloscope
